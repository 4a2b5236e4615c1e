import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import i18next from "i18next";
import { afterEach, beforeEach, expect, it } from "vitest";

import { Consent } from "./Consent";
import { aServer, renderApp } from "@/testing/server";

const STANDING = "GET /api/v1/users/me/profile-consent";
const GRANT = "POST /api/v1/users/me/profile-consent";
const TEXT = "GET /api/v1/consent-text";

const standing = (state: string, current: string) => ({
  state,
  required: true,
  text_version: current,
  consent: {
    consent_id: "c1",
    version: 2,
    create_task: true,
    save_to_thread: false,
    save_to_profile: true,
    training_use_allowed: false,
    text_version: "6",
    locale: "en",
    channel: "person",
    granted_at: "2026-01-01T00:00:00Z",
    revoked_at: null,
  },
  preferences: { research_depth: "deep" },
  goes_with: {},
});
const wording = { text_version: "7", locale: "en", text: "May we?" };

beforeEach(async () => {
  await i18next.changeLanguage("en");
});
afterEach(cleanup);

it("removes a preference under the wording that was agreed to", async () => {
  const { asked } = aServer({ [STANDING]: standing("granted", "6"), [GRANT]: {} });
  renderApp(<Consent />);
  await userEvent.click(await screen.findByRole("button", { name: /depth/i }));
  await waitFor(() => expect(asked.some(([route]) => route === GRANT)).toBe(true));
  expect(asked.find(([route]) => route === GRANT)?.[1]).toEqual({
    create_task: true,
    save_to_thread: false,
    save_to_profile: true,
    training_use_allowed: false,
    research_depth: null,
    text_version: "6",
    locale: "en",
  });
});

it("asks about changed wording before it changes a preference", async () => {
  const { asked } = aServer({ [STANDING]: standing("outdated", "7"), [TEXT]: wording, [GRANT]: {} });
  renderApp(<Consent />);
  await userEvent.click(await screen.findByRole("button", { name: /depth/i }));
  expect(await screen.findByText("May we?")).toBeVisible();
  for (const box of screen.getAllByRole("checkbox")) expect(box).not.toBeChecked();
  expect(asked.filter(([route]) => route === GRANT)).toEqual([]);
});

const WITHDRAW = "DELETE /api/v1/users/me/profile-consent/c1";
const going = { save_to_profile: { memory: 3, context: 1 }, create_task: { memory: 3, thread: 2 } };

it("says what is deleted with a consent before it is withdrawn", async () => {
  const { asked } = aServer({ [STANDING]: { ...standing("granted", "6"), goes_with: going }, [WITHDRAW]: {} });
  renderApp(<Consent />);
  await userEvent.click(await screen.findByRole("button", { name: "Withdraw everything" }));
  const box = within(await screen.findByRole("dialog"));
  expect(box.getByText(/3 memories/)).toHaveTextContent("1 entry of your profile");
  expect(box.getByText(/no longer be used/)).toHaveTextContent("2 things you said about a topic");
  expect(asked.map(([route]) => route)).not.toContain(WITHDRAW);
  await userEvent.click(box.getByRole("button", { name: "Withdraw and delete" }));
  await waitFor(() => expect(asked.map(([route]) => route)).toContain(WITHDRAW));
});

it("says what saving a choice deletes that allows less than before", async () => {
  aServer({ [STANDING]: { ...standing("granted", "6"), goes_with: going }, [TEXT]: wording, [GRANT]: {} });
  renderApp(<Consent />);
  await userEvent.click(await screen.findByRole("button", { name: "Change…" }));
  const box = within(await screen.findByRole("dialog"));
  expect(box.getByRole("button", { name: "Save my choice" })).toBeVisible();
  await userEvent.click(box.getByRole("checkbox", { name: /Keep my preferences/ }));
  expect(box.getByRole("status")).toHaveTextContent("3 memories");
  expect(box.getByRole("button", { name: "Save and delete" })).toBeVisible();
});
