import "@mantine/core/styles.layer.css";
import "@mantine/notifications/styles.layer.css";
import "./app.css";
import "./i18n";

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { App } from "./App";
import { queries } from "./client";
import { beginAnewOnLink, sessionOptions } from "./session";

const SESSION_WITHIN_MILLISECONDS = 1000;

beginAnewOnLink();
// Who it is was asked before: the first thing that is drawn is the screen, not a page that does not know yet. A server
// that is slow to say so is waited for in the app, which says that it waits.
if (window.firstReads !== undefined) {
  const asked = queries.prefetchQuery({ ...sessionOptions, retry: false });
  await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, SESSION_WITHIN_MILLISECONDS))]);
}
const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
