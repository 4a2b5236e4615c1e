import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, expect, it } from "vitest";

import { ConversationMenu } from "./ConversationMenu";
import { aServer, renderApp } from "@/testing/server";

beforeAll(() => Promise.all([import("@/shared/OpenMenu"), import("@/shared/forgetting/ConsequencesDialog")]));
afterEach(() => history.replaceState(null, "", "/"));

const DINNER = { id: "c1", title: "Dinner", created_at: "2026-11-21T12:00:00Z", message_count: 2 };
const SERVER = {
  "GET /api/v1/conversations/c1": DINNER,
  "GET /api/v1/memory/long_term": [],
  "POST /api/v1/memory/forget/dry-run": { counts: { postgres: { messages: 2 } }, turns_learned_again: 0 },
  "POST /api/v1/memory/export": { op_id: "op-1", receipt_id: null },
};

const choose = async (item: string) => {
  await userEvent.click(screen.getByRole("button", { name: "More" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: item }));
};

it("exports a conversation after asking, and leads to its package", async () => {
  const server = aServer(SERVER);
  renderApp(<ConversationMenu conversation={DINNER} label="More" />);
  await choose("Export…");
  expect(await screen.findByText("“Dinner”, 2 messages")).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Export" }));
  await waitFor(() => expect(location.pathname + location.hash).toBe("/data/export#op-1"));
  expect(server.asked).toContainEqual([
    "POST /api/v1/memory/export",
    { scope: "conversation", conversation_id: "c1", format: "zip", language: "en" },
  ]);
});

it("asks before it deletes one", async () => {
  const server = aServer(SERVER);
  renderApp(<ConversationMenu conversation={DINNER} label="More" />);
  await choose("Delete…");
  expect(await screen.findByText("2 messages")).toBeInTheDocument();
  expect(server.asked.map(([route]) => route)).not.toContain("POST /api/v1/memory/forget");
});
