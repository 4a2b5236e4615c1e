import { notifications } from "@mantine/notifications";
import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it } from "vitest";

import { useForgetSmall } from "./useForgetSmall";
import { type Answer, aServer, later, renderApp } from "@/testing/server";
import { toast } from "@/shared/toast";

afterEach(() => notifications.clean());

function Card({ id }: { id: string }) {
  const forget = useForgetSmall();
  return <button onClick={() => forget.mutate(id)}>Forget {id}</button>;
}

const aPersonWith = (cancelled: Answer) =>
  aServer({
    "DELETE /api/v1/memory/long_term/a": { op_id: "op-a", receipt_id: null },
    "DELETE /api/v1/memory/long_term/b": { op_id: "op-b", receipt_id: null },
    "POST /api/v1/memory/ops/op-a/cancel": cancelled,
    "POST /api/v1/memory/ops/op-b/cancel": cancelled,
  });

it("hides at once and shows again by Undo", async () => {
  const server = aPersonWith({ status: "cancelled" });
  renderApp(<Card id="a" />);
  await userEvent.click(screen.getByText("Forget a"));
  expect(await screen.findByText("Hidden from the assistant.")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Undo" }));
  expect(await screen.findByText("It is back. The assistant can use it again.")).toBeVisible();
  expect(server.asked.at(-1)?.[0]).toBe("POST /api/v1/memory/ops/op-a/cancel");
});

it("forgets once what is pressed twice, and still offers to undo it", async () => {
  const { come, coming } = later({ op_id: "op-a", receipt_id: null });
  const server = aServer({ "DELETE /api/v1/memory/long_term/a": () => coming });
  renderApp(<Card id="a" />);
  await userEvent.dblClick(screen.getByText("Forget a"));
  come();
  expect(await screen.findByRole("button", { name: "Undo" })).toBeVisible();
  expect(server.asked.filter(([route]) => route.startsWith("DELETE"))).toHaveLength(1);
});

it("asks again under the same key while no answer came, and under another for what is forgotten later", async () => {
  const answers: Answer[] = [{ problem: "busy", status: 503 }];
  const server = aServer({
    "DELETE /api/v1/memory/long_term/a": () => answers.pop() ?? { op_id: "op-a", receipt_id: null },
  });
  renderApp(<Card id="a" />);
  for (const said of [
    "The server is busy. Nothing was changed; try again in a moment.",
    "Hidden from the assistant.",
  ]) {
    await userEvent.click(screen.getByText("Forget a"));
    await screen.findByText(said);
  }
  await userEvent.click(screen.getByText("Forget a"));
  await waitFor(() => expect(server.keys.filter((key) => key !== null)).toHaveLength(3));
  const [first, again, later] = server.keys.filter((key) => key !== null);
  expect(again).toBe(first);
  expect(later).not.toBe(first);
});

it("leaves the offer to undo while undoing fails", async () => {
  const answers: Answer[] = [{ problem: "busy", status: 503 }];
  aServer({
    "DELETE /api/v1/memory/long_term/a": { op_id: "op-a", receipt_id: null },
    "POST /api/v1/memory/ops/op-a/cancel": () => answers.pop() ?? { status: "cancelled" },
  });
  renderApp(<Card id="a" />);
  await userEvent.click(screen.getByText("Forget a"));
  await userEvent.click(await screen.findByRole("button", { name: "Undo" }));
  await screen.findByText("The server is busy. Nothing was changed; try again in a moment.");
  await userEvent.click(screen.getByRole("button", { name: "Undo" }));
  expect(await screen.findByText("It is back. The assistant can use it again.")).toBeVisible();
});

it("says honestly that it is too late", async () => {
  aPersonWith({ problem: "too_late_to_undo", status: 409 });
  renderApp(<Card id="a" />);
  await userEvent.click(screen.getByText("Forget a"));
  await userEvent.click(await screen.findByRole("button", { name: "Undo" }));
  expect(await screen.findByText("Too late to undo: it is being erased.")).toBeVisible();
});

it("shows one toast at a time, and undoes the newest by Ctrl+Z", async () => {
  const server = aPersonWith({ status: "cancelled" });
  renderApp(
    <>
      <Card id="a" />
      <Card id="b" />
    </>,
  );
  await userEvent.click(screen.getByText("Forget a"));
  await screen.findByRole("button", { name: "Undo" });
  await userEvent.click(screen.getByText("Forget b"));
  await waitFor(() => expect(server.asked.at(-1)?.[0]).toBe("DELETE /api/v1/memory/long_term/b"));
  await waitFor(() => expect(screen.getAllByRole("alert")).toHaveLength(1));
  await userEvent.keyboard("{Control>}z{/Control}");
  await screen.findByText("It is back. The assistant can use it again.");
  expect(server.asked.map(([route]) => route)).toContain("POST /api/v1/memory/ops/op-b/cancel");
  expect(server.asked.map(([route]) => route)).not.toContain("POST /api/v1/memory/ops/op-a/cancel");
});

it("keeps the offer to undo beside other news", async () => {
  aPersonWith({ status: "cancelled" });
  renderApp(<Card id="a" />);
  await userEvent.click(screen.getByText("Forget a"));
  await screen.findByRole("button", { name: "Undo" });
  act(() => toast({ message: "Kept." }));
  act(() => toast({ message: "Moved." }));
  expect(await screen.findByText("Moved.")).toBeVisible();
  await waitFor(() => expect(screen.queryByText("Kept.")).toBeNull());
  await userEvent.click(screen.getByRole("button", { name: "Undo" }));
  expect(await screen.findByText("It is back. The assistant can use it again.")).toBeVisible();
});

it("says what is wrong when nothing was forgotten", async () => {
  aServer({});
  renderApp(<Card id="a" />);
  await userEvent.click(screen.getByText("Forget a"));
  expect(await screen.findByText("There is nothing here, or it is not yours.")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
});
