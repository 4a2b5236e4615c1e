import "@mantine/core/styles.layer.css";
import "@mantine/notifications/styles.layer.css";
import "./app.css";
import "./i18n";

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { App } from "./App";
import { queries } from "./client";
import { beginAnewOnLink, sessionOptions } from "./session";

beginAnewOnLink();
// Who it is was asked before: the first thing that is drawn is the screen, not a page that does not know yet.
if (window.firstReads !== undefined) await queries.prefetchQuery({ ...sessionOptions, retry: false });
const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
