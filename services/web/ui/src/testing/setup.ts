import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

import "@/app/i18n";

afterEach(cleanup);

// What is fetched on demand is one large file, which is read and transformed when a test first opens something.
configure({ asyncUtilTimeout: 20_000 });

// jsdom has no layout, so it lacks what Mantine asks about it.
window.matchMedia = (query) => ({
  matches: false,
  media: query,
  onchange: null,
  addListener: () => undefined,
  removeListener: () => undefined,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
  dispatchEvent: () => false,
});
globalThis.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
Object.defineProperty(document, "fonts", { value: new EventTarget(), configurable: true });
