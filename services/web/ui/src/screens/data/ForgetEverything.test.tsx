import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import i18next from "i18next";
import { afterEach, expect, it } from "vitest";

import { backFromExport, cameFromForgetting } from "./exportOffer";
import { ForgetEverything } from "./ForgetEverything";
import { anOperation } from "@/testing/operations";
import { aServer, renderApp } from "@/testing/server";

const OPERATION = anOperation({ type: "forget_user" });

const aPerson = () =>
  aServer({
    "POST /api/v1/memory/forget/dry-run": {
      counts: { postgres: { conversations: 3, messages: 18, debug_records: 7 }, mem0: { keys: 15 } },
      turns_learned_again: 0,
    },
    "GET /api/v1/memory/overview": { conversations: 2 },
    "POST /api/v1/memory/forget": { op_id: OPERATION.id, receipt_id: "r" },
    [`GET /api/v1/memory/ops/${OPERATION.id}`]: OPERATION,
    "DELETE /api/v1/session": {},
  });

afterEach(async () => {
  await i18next.changeLanguage("en");
  history.replaceState(null, "", "/");
});

const wishes = (server: ReturnType<typeof aServer>) =>
  server.asked.filter(([route]) => route === "POST /api/v1/memory/forget").map(([, body]) => body);

/** Put words into a box and press Enter; letter by letter it would take seconds on a busy machine. */
async function enter(box: HTMLElement, words: string): Promise<void> {
  await userEvent.click(box);
  await userEvent.paste(words);
  await userEvent.keyboard("{Enter}");
}

it("counts what goes, in things people know", async () => {
  aPerson();
  renderApp(<ForgetEverything />);
  expect(await screen.findByText("18 messages")).toBeInTheDocument();
  expect(screen.getByText("Copies are deleted too: 15 in long-term memory.")).toBeInTheDocument();
  expect(screen.getByText("2 conversations")).toBeInTheDocument(); // the third was forgotten, and is not seen anywhere
  expect(screen.queryByText(/7/)).toBeNull();
});

it.each([
  ["en", "Type FORGET EVERYTHING to continue", "forget everything", "FORGET EVERYTHING", "Forget everything"],
  ["zh", "输入「忘掉一切」继续", "忘掉", "忘掉一切", "忘掉一切"],
])("goes on in %s only after the phrase", async (language, label, wrong, right, button) => {
  await i18next.changeLanguage(language);
  const server = aPerson();
  renderApp(<ForgetEverything />);
  const box = await screen.findByLabelText(label);
  await enter(box, wrong);
  expect(screen.getByRole("button", { name: button })).toBeDisabled();
  expect(wishes(server)).toEqual([]);

  await userEvent.clear(box);
  await enter(box, right);
  await waitFor(() => expect(wishes(server)).toEqual([{ scope: "user", confirmation: right, close_account: false }]));
});

it("shows what has happened, with the receipt", async () => {
  aPerson();
  renderApp(<ForgetEverything />);
  await enter(await screen.findByLabelText(/FORGET EVERYTHING/), "FORGET EVERYTHING");
  expect(await screen.findByRole("heading", { name: "Nothing about you is used or shown any more" })).toHaveFocus();
  expect(screen.getByRole("link", { name: "Receipt" })).toHaveAttribute("href", "/receipts/r");
});

it("leads to the export first, and back to where somebody was", async () => {
  aPerson();
  history.replaceState(null, "", "/data/everything");
  const { unmount } = renderApp(<ForgetEverything />);
  await userEvent.click(await screen.findByRole("button", { name: "Export everything first" }));
  expect(location.pathname).toBe("/data/export");
  expect(cameFromForgetting()).toBe(true);
  unmount();

  const back = new Promise((resolve) => addEventListener("popstate", resolve, { once: true }));
  backFromExport();
  await back;
  expect(location.pathname).toBe("/data/everything");
  renderApp(<ForgetEverything />);
  await waitFor(() => expect(screen.getByRole("button", { name: "Export everything first" })).toHaveFocus());
});

it("signs out of a closed account and leads to its receipt", async () => {
  const server = aPerson();
  renderApp(<ForgetEverything />);
  await userEvent.click(await screen.findByLabelText("Close my account as well"));
  expect(screen.getByText("A nameless note that this account was closed.")).toBeInTheDocument();
  await enter(screen.getByLabelText(/FORGET EVERYTHING/), "FORGET EVERYTHING");
  await waitFor(() => expect(location.pathname).toBe("/receipts/r"));
  expect(wishes(server)).toEqual([{ scope: "user", confirmation: "FORGET EVERYTHING", close_account: true }]);
  await waitFor(() => expect(server.asked.map(([route]) => route)).toContain("DELETE /api/v1/session"));
});
