import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, expect, it } from "vitest";

import { ForgetSomething } from "./ForgetSomething";
import { type Answer, aServer, renderApp } from "@/testing/server";

beforeAll(() => import("@/shared/forgetting/ConsequencesDialog")); // lazy on screens

const candidate = (id: string, content: string, parts: object[] | null = null) => ({
  id,
  kind: "message",
  content,
  parts,
  reasons: [{ code: "words", words: "It speaks of this." }],
  sure: true,
  role: "user",
  content_type: null,
  conversation_id: "c",
  said_at: "2026-11-22T12:00:00Z",
});
const FOUND = {
  candidates: [
    candidate("m1", "Frank lives here."),
    candidate("m2", "We have 900 euros, and Frank pays half.", [{ start: 17, end: 38, text: ", and Frank pays half" }]),
  ],
  token: "t",
  more: false,
  nothing: null,
};

const aPerson = (found: Answer = FOUND) =>
  aServer({
    "POST /api/v1/memory/forget/find": found,
    "POST /api/v1/memory/forget/preview": { counts: { postgres: { messages: 1 } }, turns_learned_again: 0, items: [] },
  });

const find = async (sentence: string) => {
  await userEvent.click(screen.getByLabelText("What should be forgotten?"));
  await userEvent.paste(sentence);
  await userEvent.keyboard("{Enter}");
};

it.each([
  ["nothing_matches", "Nothing remembered matches. Nothing was deleted."],
  ["nothing_named", /not clear what to look for.*Nothing was deleted/],
])("says why nothing was found: %s", async (nothing, words) => {
  aPerson({ candidates: [], token: null, more: false, nothing });
  renderApp(<ForgetSomething />);
  await find("Zanzibar");
  expect(await screen.findByText(words)).toBeInTheDocument();
});

it("sends whoever means everything to its own place", async () => {
  aPerson({ candidates: [], token: null, more: false, nothing: "everything" });
  renderApp(<ForgetSomething />);
  await find("everything");
  expect(await screen.findByRole("link", { name: "Forget everything" })).toHaveAttribute("href", "/data/everything");
});

it("marks the part that goes and looks only at what is ticked", async () => {
  const server = aPerson();
  renderApp(<ForgetSomething />);
  await find("everything about Frank");
  expect(await screen.findByRole("heading", { name: "2 things match" })).toHaveFocus();
  const [first, second] = screen.getAllByRole("listitem");
  expect(within(second as HTMLElement).getByText(", and Frank pays half").tagName).toBe("MARK");

  await userEvent.click(within(first as HTMLElement).getByRole("checkbox"));
  expect(screen.getByText("1 of 2 ticked")).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Preview the deletion" }));
  const dialog = await screen.findByRole("dialog");
  expect(await within(dialog).findByText("and Frank pays half")).toBeInTheDocument();
  expect(server.asked.at(-1)).toEqual(["POST /api/v1/memory/forget/preview", { token: "t", ids: ["m2"] }]);
});

it("offers nothing to go when nothing is ticked", async () => {
  aPerson();
  renderApp(<ForgetSomething />);
  await find("everything about Frank");
  await userEvent.click(await screen.findByLabelText("All of them"));
  expect(screen.getByRole("button", { name: "Preview the deletion" })).toBeDisabled();
});

it("leaves it to the person to tick what is not sure", async () => {
  const unsure = { ...candidate("m3", "I keep bees."), reasons: [{ code: "meaning", words: "" }], sure: false };
  const server = aPerson({ ...FOUND, candidates: [...FOUND.candidates, unsure] });
  renderApp(<ForgetSomething />);
  await find("everything about Frank");
  expect(await screen.findByText("2 of 3 ticked")).toBeInTheDocument();
  expect(screen.getByText(/its meaning fits/)).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Preview the deletion" }));
  await screen.findByRole("dialog");
  expect(server.asked.at(-1)).toEqual(["POST /api/v1/memory/forget/preview", { token: "t", ids: ["m1", "m2"] }]);
});
