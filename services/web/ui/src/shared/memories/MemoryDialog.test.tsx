import { notifications } from "@mantine/notifications";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import i18next from "i18next";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { MemoryDialog } from "./MemoryDialog";
import { aMemory, memoryId } from "@/testing/memories";
import { aServer, renderApp } from "@/testing/server";

const LIST = "/api/v1/memory/long_term";
const ONE = `${LIST}/${memoryId(1)}`;
const memory = aMemory(1, { content: "I live in Lima." });

const dialog = (edited?: typeof memory) => {
  const [onSaved, onClose] = [vi.fn(), vi.fn()];
  renderApp(<MemoryDialog opened memory={edited} onSaved={onSaved} onClose={onClose} />);
  return { onSaved, onClose };
};

beforeEach(async () => {
  await i18next.changeLanguage("en");
});
afterEach(() => {
  cleanup();
  notifications.clean();
});

const refusal = async () => within(screen.getByRole("dialog")).findByRole("alert");

it("an edit sends what is different, and hands on what holds now", async () => {
  const { asked } = aServer({ [`PATCH ${ONE}`]: { ...aMemory(2, { content: "I live in Quito." }), withheld: [] } });
  const { onSaved, onClose } = dialog(memory);
  const box = await screen.findByLabelText("What should be remembered");
  fireEvent.change(box, { target: { value: "I live in Quito." } });
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(asked).toContainEqual([`PATCH ${ONE}`, { content: "I live in Quito." }]);
  expect(onSaved).toHaveBeenCalledWith(expect.objectContaining({ id: memoryId(2) }));
});

it("stays open while it is saved, so that a failure can be said", async () => {
  let answer: (what: object) => void = () => undefined;
  const later = new Promise<object>((resolve) => (answer = resolve));
  aServer({ [`PATCH ${ONE}`]: () => later });
  const { onClose } = dialog(memory);
  const box = await screen.findByLabelText("What should be remembered");
  fireEvent.change(box, { target: { value: "I live in Quito." } });
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await userEvent.keyboard("{Escape}");
  expect(onClose).not.toHaveBeenCalled();
  answer({ problem: "busy", status: 503 });
  expect(await refusal()).toBeVisible();
  await userEvent.keyboard("{Escape}");
  expect(onClose).toHaveBeenCalled();
});

it("nothing is sent when nothing was changed", async () => {
  const { asked } = aServer({});
  const { onClose } = dialog(memory);
  await userEvent.click(await screen.findByRole("button", { name: "Save" }));
  expect(onClose).toHaveBeenCalled();
  expect(asked.filter(([route]) => route.startsWith("PATCH"))).toEqual([]);
});

it("what changed meanwhile is said, what was typed stays, and may be saved over it", async () => {
  const answers = [
    { problem: "precondition_failed", status: 412 },
    { ...aMemory(2), withheld: [] },
  ];
  aServer({ [`PATCH ${ONE}`]: () => answers.shift() ?? {}, [`GET ${ONE}`]: { ...memory, version: 2 } });
  const { onClose } = dialog(memory);
  const box = await screen.findByLabelText("What should be remembered");
  fireEvent.change(box, { target: { value: "I live in Lima. For now." } });
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(await refusal()).toHaveTextContent("It has changed since you opened it");
  expect(box).toHaveValue("I live in Lima. For now.");
  await userEvent.click(screen.getByRole("button", { name: "Overwrite with mine" }));
  await waitFor(() => expect(screen.queryByText(/It has changed/)).toBeNull());
  expect(onClose).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
});

it("what somebody else edited meanwhile is saved over in its newer form", async () => {
  const newer = aMemory(2, { content: "I live in Cusco.", supersedes_id: memory.id });
  const { asked } = aServer({
    [`PATCH ${ONE}`]: { problem: "precondition_failed", status: 412 },
    [`GET ${ONE}`]: { ...memory, validity: "superseded" },
    [`GET ${ONE}/history`]: { memories: [{ ...memory, validity: "superseded" }, newer], events: [] },
    [`PATCH ${LIST}/${memoryId(2)}`]: { ...aMemory(3), withheld: [] },
  });
  const { onClose } = dialog(memory);
  const box = await screen.findByLabelText("What should be remembered");
  fireEvent.change(box, { target: { value: "I live in Lima. For now." } });
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await userEvent.click(await screen.findByRole("button", { name: "Overwrite with mine" }));
  await waitFor(() => expect(screen.queryByText(/It has changed/)).toBeNull());
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(asked).toContainEqual([`PATCH ${LIST}/${memoryId(2)}`, { content: "I live in Lima. For now." }]);
});

it.each([
  ["en", "My key is sk-1", "Remember", "What should be remembered", "it contains a secret key"],
  ["zh", "我的密钥是 sk-1", "记住", "要记住什么", "其中有密钥"],
])("what is never remembered is named in %s, and stays in the box", async (language, text, save, label, said) => {
  await i18next.changeLanguage(language);
  aServer({
    [`POST ${LIST}`]: { problem: "sensitive_content", status: 422, details: { categories: ["key"] } },
  });
  const { onClose } = dialog();
  const box = await screen.findByLabelText(label);
  await userEvent.click(screen.getByRole("button", { name: save }));
  expect(box).toBeInvalid();
  fireEvent.change(box, { target: { value: text } });
  await userEvent.click(screen.getByRole("button", { name: save }));
  expect(await refusal()).toHaveTextContent(said);
  expect(box).toHaveValue(text);
  expect(onClose).not.toHaveBeenCalled();
});
