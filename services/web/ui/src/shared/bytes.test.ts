import { expect, it } from "vitest";

import { bytesWords } from "./bytes";

it.each([
  [0, "en", "0 bytes"],
  [999, "en", "999 bytes"],
  [1000, "en", "1 kB"],
  [1_234_567, "en", "1.2 MB"],
  [268_435_456, "en", "268.4 MB"],
  [5_000_000_000_000, "en", "5,000 GB"],
  [1_234_567, "zh-CN", "1.2 MB"],
])("%d bytes in %s are %s", (bytes, locale, words) => {
  expect(bytesWords(bytes, locale).replaceAll("\u00a0", " ")).toBe(words);
});
