import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";

import { Operations } from "./Operations";
import { anOperation } from "@/testing/operations";
import { aServer, renderApp } from "@/testing/server";

const [NEW, OLD] = ["01a20340-0000-7000-8000-000000000002", "01a20340-0000-7000-8000-000000000001"];
const focused = (id: string) => waitFor(() => expect(document.activeElement?.id).toBe(id));
const follow = (hash: string) => {
  history.pushState(null, "", hash);
  dispatchEvent(new Event("pushState")); // as the router tells of it
};

afterEach(() => history.replaceState(null, "", "/"));

it("goes to the operation that a link names, also one that is not in the list, and to the next one", async () => {
  aServer({
    "GET /api/v1/memory/ops": [anOperation({ id: NEW })],
    [`GET /api/v1/memory/ops/${OLD}`]: anOperation({ id: OLD, type: "forget_message" }),
  });
  history.replaceState(null, "", `/data/operations#${OLD}`);
  renderApp(<Operations />);
  await focused(OLD);
  expect(screen.getAllByRole("article")).toHaveLength(2);
  follow(`#${NEW}`);
  await focused(NEW);
  expect(screen.getAllByRole("article")).toHaveLength(1);
});

it("stays where it is when a link names nothing that is there", async () => {
  aServer({ "GET /api/v1/memory/ops": [anOperation({ id: NEW })] });
  history.replaceState(null, "", `/data/operations#${OLD}`);
  renderApp(<Operations />);
  expect(await screen.findByRole("article")).toHaveAttribute("id", NEW);
  expect(document.activeElement).toBe(document.body);
});
