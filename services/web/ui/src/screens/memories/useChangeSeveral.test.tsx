import { notifications } from "@mantine/notifications";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it } from "vitest";

import { useChangeSeveral } from "./useChangeSeveral";
import type { SeveralIn } from "@/client";
import { aServer, renderApp } from "@/testing/server";

afterEach(() => notifications.clean());

const ids = ["a", "b", "c", "d", "e"];

function Keep({ onDone }: { onDone: () => void }) {
  const several = useChangeSeveral(onDone);
  return <button onClick={() => several.mutate({ ids, change: { act: "keep" } })}>Keep</button>;
}

/** Like the server: with one that is gone none is changed. */
const aServerWithout = (gone: readonly string[]) =>
  aServer({
    "POST /api/v1/memory/long_term/change": (body: unknown) => {
      const { ids: asked } = body as SeveralIn;
      return asked.some((id) => gone.includes(id))
        ? { problem: "not_found", status: 404 }
        : { results: asked.map((id) => ({ id, outcome: "kept" })) };
    },
  });

it("changes all that are still there, and says how many were not", async () => {
  aServerWithout(["b"]);
  let done = 0;
  renderApp(<Keep onDone={() => (done += 1)} />);
  await userEvent.click(screen.getByText("Keep"));
  expect(await screen.findByText(/1 was not changed: it was replaced or forgotten meanwhile/)).toBeVisible();
  expect(screen.getByText(/4/)).toBeVisible();
  expect(done).toBe(1);
});

it("says it when none is there any more", async () => {
  aServerWithout(ids);
  renderApp(<Keep onDone={() => undefined} />);
  await userEvent.click(screen.getByText("Keep"));
  expect(await screen.findByText(/5 were not changed/)).toBeVisible();
});
