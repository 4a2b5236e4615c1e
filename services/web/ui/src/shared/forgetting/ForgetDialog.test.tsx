import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { beforeAll, expect, it, vi } from "vitest";

import { ForgetDialog, type ForgetDialogProps } from "./ForgetDialog";
import type { Target } from "./target";
import { anOperation } from "@/testing/operations";
import { aServer, later, renderApp } from "@/testing/server";

beforeAll(() => import("./ConsequencesDialog")); // lazy on screens: its first load may take longer than a test waits

const OPERATION = anOperation();
const SELECTION: Target = { scope: "selection", token: "t", ids: ["m1"], quotes: ["Frank is allergic to peanuts."] };

const MESSAGE = { id: "m1", conversation_id: "c1", turn: 1, seq: 3 };
const MEMORY = { id: "u1", kind: "memory", relation: "text_from", content: "Lives in Zanzibar." };

interface Asked {
  cascade?: boolean;
}

const aPerson = (forgotten: Parameters<typeof aServer>[0][string] = { op_id: OPERATION.id, receipt_id: null }) =>
  aServer({
    "POST /api/v1/memory/forget/dry-run": (body) => ({
      counts: { postgres: { messages: (body as Asked).cascade === true ? 2 : 1, memories: 1 }, mem0: { keys: 1 } },
      turns_learned_again: 2,
    }),
    "POST /api/v1/memory/forget/preview": { counts: { postgres: { messages: 1 } }, turns_learned_again: 0, items: [] },
    "GET /api/v1/messages/m1": { ...MESSAGE, role: "user", content: "I moved to Zanzibar." },
    "GET /api/v1/messages": [{ ...MESSAGE, id: "m0", turn: 0 }, MESSAGE, { ...MESSAGE, id: "m2" }],
    "GET /api/v1/memory/messages/m1/derived": { derived: [MEMORY] },
    "GET /api/v1/memory/messages/m2/derived": { derived: [MEMORY] },
    "POST /api/v1/memory/forget": forgotten,
    [`GET /api/v1/memory/ops/${OPERATION.id}`]: OPERATION,
  });

function Page({ of, ...events }: { of: Target } & Partial<ForgetDialogProps>) {
  const [target, setTarget] = useState<Target | null>(null);
  return (
    <>
      <button onClick={() => setTarget(of)}>Open</button>
      <ForgetDialog {...events} target={target} onClose={() => setTarget(null)} />
    </>
  );
}

const open = () => userEvent.click(screen.getByRole("button", { name: "Open" }));
const confirm = async () => userEvent.click(await screen.findByRole("button", { name: "Forget" }));

it("says what goes and what stays before anything is done", async () => {
  const server = aPerson();
  renderApp(<Page of={{ scope: "message", id: "m1" }} />);
  await open();
  expect(await screen.findByText("1 message and 1 memory")).toBeInTheDocument();
  expect(screen.getByText("I moved to Zanzibar.")).toBeInTheDocument();
  expect(screen.getByText("Lives in Zanzibar.")).toBeInTheDocument();
  expect(screen.getByText("The answer to it stays in the conversation.")).toBeInTheDocument();
  expect(screen.getByText(/What 2 other places still say/)).toBeInTheDocument();
  expect(server.asked.map(([route]) => route)).not.toContain("POST /api/v1/memory/forget");
});

it("counts again when the answer is to go too, and forgets exactly that", async () => {
  const server = aPerson();
  const onForgotten = vi.fn();
  renderApp(<Page of={{ scope: "message", id: "m1" }} onForgotten={onForgotten} />);
  await open();
  await userEvent.click(await screen.findByLabelText("Forget the answer to it as well"));
  expect(await screen.findByText("2 messages and 1 memory")).toBeInTheDocument();
  await confirm();
  expect(await screen.findByText(/The assistant cannot see it any more/)).toBeInTheDocument();
  expect(server.asked).toContainEqual([
    "POST /api/v1/memory/forget",
    { scope: "message", message_id: "m1", cascade: true },
  ]);
  expect(onForgotten).toHaveBeenCalledWith(OPERATION.id);
});

it("gives the focus back to what opened it", async () => {
  aPerson();
  renderApp(<Page of={{ scope: "message", id: "m1" }} />);
  await open();
  await userEvent.click(await screen.findByRole("button", { name: "Keep it" }));
  await waitFor(() => expect(screen.getByRole("button", { name: "Open" })).toHaveFocus());
});

it("does not offer to forget what cannot be looked at", async () => {
  aServer({});
  renderApp(<Page of={{ scope: "message", id: "m1" }} />);
  await open();
  expect(await screen.findByText("There is nothing here, or it is not yours.")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Forget" })).toBeDisabled();
});

it("finds a selection again when it has changed meanwhile", async () => {
  aPerson({ problem: "selection_changed", status: 422 });
  const onChanged = vi.fn();
  renderApp(<Page of={SELECTION} onChanged={onChanged} />);
  await open();
  await screen.findByText("Frank is allergic to peanuts.");
  await confirm();
  expect(await screen.findByText(/Nothing was forgotten/)).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Find again" }));
  expect(onChanged).toHaveBeenCalledOnce();
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("offers to undo what can be undone, and closes", async () => {
  const server = aPerson();
  const ids = ["m1", "m2"];
  renderApp(<Page of={{ scope: "selection", token: null, ids, quotes: ["One.", "Two."] }} undoSeconds={8} />);
  await open();
  await confirm();
  expect(await screen.findByRole("button", { name: "Undo" })).toBeInTheDocument();
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(server.asked).toContainEqual([
    "POST /api/v1/memory/forget",
    { scope: "selection", token: null, ids, undo_seconds: 8 },
  ]);
});

it("is not closed while it is being asked for", async () => {
  const { come, coming } = later({ op_id: OPERATION.id, receipt_id: null });
  aPerson(() => coming);
  renderApp(<Page of={SELECTION} />);
  await open();
  await confirm();
  const keep = screen.getByRole("button", { name: "Keep it" });
  await waitFor(() => expect(keep).toBeDisabled());
  await userEvent.keyboard("{Escape}");
  expect(screen.getByRole("dialog")).toBeInTheDocument();
  come();
  expect(await screen.findByText(/The assistant cannot see it any more/)).toBeInTheDocument();
});
