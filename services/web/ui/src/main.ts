// What runs before the app is there. It is small, so that everything the first screen needs is asked for at once: the
// app, the texts, and what the screen reads. Nothing here may be imported by the app: that would make one file of both.

import { askFirst } from "./app/firstReads";
import { drawFirstRows } from "./app/firstRows";

const FIRST = "chat";
/** The places whose screens are no part of the app's first file. */
const LATER = ["conversation", "traits", "sees", "data", "settings", "receipts"];

const [, first, second] = location.pathname.split("/");
/** Of the memories, those whose screens read something else. */
const APART = ["traits", "documents"];
const place = first === "memories" && second !== undefined && APART.includes(second) ? second : first || FIRST;
askFirst(place);
// What fails here is asked for again by the app, which says so when it fails again.
const early = [
  document.documentElement.lang.startsWith("zh") ? import("./app/texts/zh") : import("./app/texts/en"),
  ...(place === "chat" ? [import("./screens/chat/Chat")] : []),
  ...(LATER.includes(place) ? [import("./later")] : []),
  drawFirstRows(place),
];
for (const one of early) one.catch(() => undefined);
void import("./app/start");
