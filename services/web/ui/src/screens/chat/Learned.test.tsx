import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";

import { Learned } from "./Learned";
import type { MessageOut } from "@/client";
import { aMemory } from "@/testing/memories";
import { aServer, renderApp } from "@/testing/server";

const MESSAGE = { id: "m1" } as MessageOut;
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
const awaits = (ahead: object | null) =>
  aServer({ "GET /api/v1/memory/messages/m1/derived": { derived: [], withheld: [], awaited: ["memory"], ahead } });

it.each([
  [12, "Still learning: 12 messages ahead"],
  [1, "Still learning: 1 message ahead"],
  [0, "Still learning: this one is next"],
])("says after ten seconds how many messages are ahead, also after a reload: %i", async (messages, words) => {
  awaits({ messages, since: ago(11) });
  renderApp(<Learned message={MESSAGE} memories={[]} answered newest />);
  expect(await screen.findByText(words)).toBeInTheDocument();
});

it("says nothing of an old message, nor before ten seconds are over", async () => {
  const server = awaits({ messages: 3, since: ago(2) });
  renderApp(
    <>
      <Learned message={MESSAGE} memories={[]} answered newest />
      <Learned message={{ ...MESSAGE, id: "m0" }} memories={[]} answered newest={false} />
    </>,
  );
  await expect.poll(() => server.asked.length).toBeGreaterThan(0);
  expect(screen.queryByText(/learning/)).toBeNull();
  expect(server.asked.map(([route]) => route)).not.toContain("GET /api/v1/memory/messages/m0/derived");
});

it("shows what the message taught, struck through, with what replaced it", async () => {
  const old = aMemory(1, { content: "Lives in Berlin.", validity: "superseded" });
  const current = aMemory(2, { content: "Lives in Lisbon.", supersedes_id: old.id });
  aServer({ [`GET /api/v1/memory/long_term/${old.id}/history`]: { memories: [old, current], events: [] } });
  renderApp(<Learned message={MESSAGE} memories={[old]} answered newest={false} />);
  await userEvent.click(screen.getByRole("button", { name: "learned 1 thing" }));
  expect(await screen.findByText("Lives in Berlin.")).toHaveStyle({ textDecoration: "line-through" });
  const link = await screen.findByRole("link", { name: "“Lives in Lisbon.”" });
  expect(link.parentElement).toHaveTextContent("Replaced by “Lives in Lisbon.”");
  expect(link).toHaveAttribute("href", `/memories/${current.id}`);
  expect(screen.queryByRole("button", { name: "Keep" })).toBeNull();
});

it("says when what replaced it was forgotten", async () => {
  const old = aMemory(1, { validity: "superseded" });
  aServer({ [`GET /api/v1/memory/long_term/${old.id}/history`]: { memories: [old], events: [] } });
  renderApp(<Learned message={MESSAGE} memories={[old]} answered newest={false} />);
  await userEvent.click(screen.getByRole("button", { name: "learned 1 thing" }));
  expect(await screen.findByText("Replaced later by something you have forgotten")).toBeInTheDocument();
});
