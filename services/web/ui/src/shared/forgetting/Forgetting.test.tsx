import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, beforeAll, expect, it } from "vitest";

import { useForget } from "./Forgetting";
import { anOperation } from "@/testing/operations";
import { aServer, renderApp } from "@/testing/server";

beforeAll(() => import("./ConsequencesDialog")); // its first load may take longer than a test waits
afterEach(() => history.replaceState(null, "", "/"));

const OPERATION = anOperation({
  erased_at: "2026-11-22T12:00:01Z",
  purge_expected_at: "2999-11-22T13:00:00Z",
  status: "succeeded",
});

/** A screen that is gone with the conversation it shows. */
function Screen() {
  const forget = useForget();
  const [gone, setGone] = useState(false);
  if (gone) return <p>There is nothing here.</p>;
  const target = { scope: "conversation", id: "c1" } as const;
  return <button onClick={() => forget({ target, onForgotten: () => setGone(true) })}>Delete</button>;
}

it("shows the milestones and the receipt to the end, though the screen that asked is gone", async () => {
  aServer({
    "POST /api/v1/memory/forget/dry-run": { counts: { postgres: { messages: 1 } }, turns_learned_again: 0 },
    "GET /api/v1/conversations/c1": { id: "c1", title: "Dinner" },
    "GET /api/v1/memory/long_term": [],
    "POST /api/v1/memory/forget": { op_id: OPERATION.id, receipt_id: OPERATION.receipt_id },
    [`GET /api/v1/memory/ops/${OPERATION.id}`]: OPERATION,
  });
  history.replaceState(null, "", "/chat/c1");
  renderApp(<Screen />);
  await userEvent.click(screen.getByRole("button", { name: "Delete" }));
  await userEvent.click(await screen.findByRole("button", { name: "Forget" }));

  expect(await screen.findByText("There is nothing here.")).toBeInTheDocument();
  const dialog = screen.getByRole("dialog");
  expect(await within(dialog).findByText("Deleted everywhere and checked")).toBeInTheDocument();
  expect(dialog).toHaveTextContent(/Leftover bytes overwritten by about/);
  expect(screen.getByRole("link", { name: "Receipt" })).toHaveAttribute("href", `/receipts/${OPERATION.receipt_id}`);
  expect(location.pathname).toBe("/chat/new");
});
