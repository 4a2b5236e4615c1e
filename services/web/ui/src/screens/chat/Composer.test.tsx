import { MantineProvider } from "@mantine/core";
import { createEvent, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, it, vi } from "vitest";

import { Composer } from "./Composer";
import i18n from "@/app/i18n";

function Field({ onSay, busy = false }: { onSay: (words: string) => void; busy?: boolean }) {
  const [words, setWords] = useState("");
  return (
    <MantineProvider>
      <Composer focused={false} words={words} onWords={setWords} onSay={onSay} busy={busy} />
    </MantineProvider>
  );
}

function typed(words: string, busy = false) {
  const onSay = vi.fn();
  render(<Field onSay={onSay} busy={busy} />);
  const field = screen.getByRole("textbox");
  fireEvent.change(field, { target: { value: words } });
  return { field, onSay };
}

afterEach(() => void i18n.changeLanguage("en"));

it("sends by Enter what was typed, without the space around it", () => {
  const { field, onSay } = typed(" Hello \n");
  fireEvent.keyDown(field, { key: "Enter" });
  expect(onSay).toHaveBeenCalledExactlyOnceWith("Hello");
});

it("begins a line by Shift+Enter", () => {
  const { field, onSay } = typed("Hello");
  const pressed = createEvent.keyDown(field, { key: "Enter", shiftKey: true });
  fireEvent(field, pressed);
  expect(pressed.defaultPrevented).toBe(false);
  expect(onSay).not.toHaveBeenCalled();
});

it.each([{ isComposing: true }, { keyCode: 229 }])("never sends while an input method composes (%o)", async (state) => {
  await i18n.changeLanguage("zh");
  const { field, onSay } = typed("ni hao");
  fireEvent.keyDown(field, { key: "Enter", ...state });
  expect(onSay).not.toHaveBeenCalled();
  expect(screen.getByRole("button", { name: "发送" })).toBeEnabled();
});

it.each(["  \n", "x".repeat(4001)])("does not send nothing, nor too much", (words) => {
  const { field, onSay } = typed(words);
  fireEvent.keyDown(field, { key: "Enter" });
  expect(onSay).not.toHaveBeenCalled();
  expect(screen.getByRole("button", { name: "Send" })).toBeDisabled();
});

it("waits with sending until the answer is there, and lets one type on", () => {
  const { field, onSay } = typed("Next", true);
  fireEvent.keyDown(field, { key: "Enter" });
  expect(onSay).not.toHaveBeenCalled();
  expect(field).toHaveValue("Next");
});
