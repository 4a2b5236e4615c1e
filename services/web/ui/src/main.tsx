import "@mantine/core/styles.layer.css";
import "@mantine/notifications/styles.layer.css";
import "./app/app.css";
import "./app/i18n";

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { App } from "./app/App";
import { beginAnewOnLink } from "./app/session";

beginAnewOnLink();
const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
