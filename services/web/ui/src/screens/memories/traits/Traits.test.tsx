import { notifications } from "@mantine/notifications";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import i18next from "i18next";
import { afterEach, beforeEach, expect, it } from "vitest";

import { Traits } from "./Traits";
import { anOperation } from "@/testing/operations";
import { type Answer, aServer, renderApp } from "@/testing/server";
import { aTrait, traitId } from "@/testing/traits";

const LIST = "/api/v1/memory/traits";
const ONE = `${LIST}/${traitId(1)}`;
const OPERATION = anOperation({ type: "forget_selection", status: "pending" });
const SETTINGS = { traits_enabled: true, longterm_enabled: true, injection_enabled: true };

/** Somebody with these traits. */
const aPerson = (answers: Record<string, Answer | ((body: unknown) => Answer)> = {}) =>
  aServer({
    [`GET ${LIST}`]: [aTrait(1, { content: "Plans ahead", wordings: null }), aTrait(2)],
    [`GET ${LIST}/refused`]: [],
    "GET /api/v1/memory/settings": SETTINGS,
    [`GET /api/v1/memory/ops/${OPERATION.id}`]: OPERATION,
    ...answers,
  });
const card = async () => within(await screen.findByRole("article", { name: "Plans ahead" }));

beforeEach(() => i18next.changeLanguage("en"));
afterEach(() => {
  cleanup();
  notifications.clean();
});

it("That's right confirms it, pressed again it takes that back", async () => {
  let confirmed = false;
  const now = () => aTrait(1, { content: "Plans ahead", wordings: null, confirmed, version: confirmed ? 2 : 1 });
  const { asked } = aPerson({
    [`GET ${LIST}`]: () => [now(), aTrait(2)],
    [`PATCH ${ONE}`]: (body) => {
      confirmed = (body as { confirmed: boolean }).confirmed;
      return now();
    },
  });
  renderApp(<Traits id={undefined} />);
  await userEvent.click((await card()).getByRole("button", { name: "That’s right" }));
  expect(await (await card()).findByText("confirmed by you")).toBeVisible();
  await userEvent.click((await card()).getByRole("button", { name: "That’s right", pressed: true }));
  await waitFor(() => expect(screen.queryByText("confirmed by you")).toBeNull());
  const sent = asked.filter(([route]) => route.startsWith("PATCH"));
  expect(sent.map(([, body]) => body)).toEqual([{ confirmed: true }, { confirmed: false }]);
});

it("Not me says what that means, stands where it stood, and is undone", async () => {
  let hidden = true;
  aPerson({
    [`DELETE ${ONE}`]: { op_id: OPERATION.id, receipt_id: null },
    [`GET /api/v1/memory/ops/${OPERATION.id}`]: () => ({ ...OPERATION, status: hidden ? "pending" : "cancelled" }),
    [`POST /api/v1/memory/ops/${OPERATION.id}/cancel`]: () => {
      hidden = false;
      return { ...OPERATION, status: "cancelled" };
    },
  });
  renderApp(<Traits id={undefined} />);
  await userEvent.click((await card()).getByRole("button", { name: "Not me" }));
  expect(
    await screen.findByText(/together with the observations behind it, and will not be inferred again/),
  ).toBeVisible();
  expect(screen.queryByRole("article", { name: "Plans ahead" })).toBeNull();
  expect(within(screen.getByRole("list", { name: "Habits" })).getByText(/Hidden from the assistant/)).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Undo" }));
  await card();
});

it("a wording about a sensitive matter is refused in plain words, and stays in the box", async () => {
  aPerson({ [`PATCH ${ONE}`]: { problem: "trait_sensitive", status: 422 } });
  renderApp(<Traits id={undefined} />);
  await userEvent.click((await card()).getByRole("button", { name: "More" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Edit" }));
  const box = await screen.findByLabelText("How would you put it?");
  await userEvent.type(box, " because of my illness");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(await within(screen.getByRole("dialog")).findByText(/must not be about something sensitive/)).toBeVisible();
  expect(box).toHaveValue("Plans ahead because of my illness");
});

it("forgetting everything inferred says what goes and what stays first", async () => {
  const { asked } = aPerson({ [`POST ${LIST}/clear`]: { op_id: OPERATION.id, receipt_id: null } });
  renderApp(<Traits id={undefined} />);
  await userEvent.click(await screen.findByRole("button", { name: "Forget everything inferred…" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText(/^2 impressions/)).toBeVisible();
  expect(dialog.getByText("Your messages and your memories.")).toBeVisible();
  await userEvent.click(dialog.getByRole("button", { name: "Forget" }));
  expect(
    await screen.findByText("The assistant no longer gets any of it; all that was inferred is being deleted."),
  ).toBeVisible();
  expect(asked).toContainEqual([`POST ${LIST}/clear`, { undo_seconds: 8 }]);
  expect(screen.queryByRole("article")).toBeNull();
});

it("says that there is nothing yet, or that it is off", async () => {
  aPerson({ [`GET ${LIST}`]: [] });
  renderApp(<Traits id={undefined} />);
  expect(await screen.findByText(/^Nothing yet\./)).toBeVisible();
  cleanup();
  aPerson({ [`GET ${LIST}`]: [], "GET /api/v1/memory/settings": { ...SETTINGS, injection_enabled: false } });
  renderApp(<Traits id={undefined} />);
  expect(await screen.findByText(/“Use memories in answers” is off/)).toBeVisible();
  expect(screen.getByRole("link", { name: "Open Settings" })).toHaveAttribute("href", "/settings");
  expect(screen.queryByText(/^Nothing yet\./)).toBeNull();
});

it("what was refused may be allowed again", async () => {
  const wordings = { en: "Often runs late", zh: "常常晚到" };
  const refused = [{ trait_key: "runs-late", wordings }];
  const { asked } = aPerson({
    [`GET ${LIST}/refused`]: () => [...refused],
    [`DELETE ${LIST}/refused/runs-late`]: () => {
      refused.pop();
      return {};
    },
  });
  renderApp(<Traits id={undefined} />);
  await userEvent.click(await screen.findByRole("button", { name: "Allow again" }));
  await waitFor(() => expect(screen.queryByText("Often runs late")).toBeNull());
  expect(asked.map(([route]) => route)).toContain(`DELETE ${LIST}/refused/runs-late`);
});
