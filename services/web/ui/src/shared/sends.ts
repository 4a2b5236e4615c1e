import type { KeyboardEvent } from "react";

/** Whether a key sends. While an input method is composing, Enter chooses a character (Safari says so by code 229 only). */
export const sends = (event: KeyboardEvent): boolean =>
  event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing && event.nativeEvent.keyCode !== 229;
