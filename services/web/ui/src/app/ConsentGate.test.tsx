import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import i18next from "i18next";
import { afterEach, beforeEach, expect, it } from "vitest";

import { ConsentGate } from "./ConsentGate";
import { aServer, renderApp } from "@/testing/server";

const STANDING = "GET /api/v1/users/me/profile-consent";
const GRANT = "POST /api/v1/users/me/profile-consent";
const STEP = "POST /api/v1/users/me/onboarding";
const TEXT = "GET /api/v1/consent-text";

const given = {
  consent_id: "c1",
  version: 1,
  create_task: true,
  save_to_thread: true,
  save_to_profile: true,
  training_use_allowed: true,
  text_version: "6",
  locale: "en",
  channel: "person",
  granted_at: "2026-01-01T00:00:00Z",
  revoked_at: null,
};
const standing = (state: string, required: boolean) => ({
  state,
  required,
  text_version: "7",
  consent: state === "new" ? null : given,
  preferences: {},
  goes_with: {},
});
const wording = { text_version: "7", locale: "en", text: "May we?" };

beforeEach(async () => {
  sessionStorage.clear();
  await i18next.changeLanguage("en");
});
afterEach(cleanup);

it("asks where consent is required, with nothing ticked, and not again in a visit once it was skipped", async () => {
  const { asked } = aServer({ [STANDING]: standing("new", true), [TEXT]: wording });
  renderApp(<ConsentGate person="ada" />);
  expect(await screen.findByText("May we?")).toBeVisible();
  for (const box of screen.getAllByRole("checkbox")) expect(box).not.toBeChecked();
  await userEvent.click(screen.getByRole("button", { name: "Skip" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked.filter(([route]) => route === GRANT)).toEqual([]);
  cleanup();
  renderApp(<ConsentGate person="ada" />);
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("sends what was ticked under the wording that was shown, and nothing of what was agreed to before", async () => {
  const { asked } = aServer({ [STANDING]: standing("outdated", true), [TEXT]: wording, [GRANT]: {} });
  renderApp(<ConsentGate person="ada" />);
  await screen.findByText("May we?");
  await userEvent.click(screen.getByRole("checkbox", { name: "Keep my preferences" }));
  await userEvent.click(screen.getByRole("button", { name: "Save my choice" }));
  await waitFor(() => expect(asked.some(([route]) => route === GRANT)).toBe(true));
  expect(asked.find(([route]) => route === GRANT)?.[1]).toEqual({
    create_task: false,
    save_to_profile: true,
    save_to_thread: false,
    training_use_allowed: false,
    text_version: "7",
    locale: "en",
  });
});

it("counts the steps of who chooses for the first time", async () => {
  const { asked } = aServer({ [STANDING]: standing("new", true), [TEXT]: wording, [GRANT]: {}, [STEP]: {} });
  renderApp(<ConsentGate person="ada" />);
  await screen.findByText("May we?");
  await userEvent.click(screen.getByRole("button", { name: "Save my choice" }));
  const steps = () => asked.filter(([route]) => route === STEP).map(([, body]) => body);
  await waitFor(() => expect(steps()).toEqual([{ step: "acknowledgement" }, { step: "consent" }, { step: "done" }]));
});

it("asks everybody again when the wording changed, also where consent is optional", async () => {
  aServer({ [STANDING]: standing("outdated", false), [TEXT]: wording });
  renderApp(<ConsentGate person="ada" />);
  expect(await screen.findByText("May we?")).toBeVisible();
});

it("asks nobody where consent is optional, or was given", async () => {
  for (const answer of [standing("new", false), standing("granted", true), standing("revoked", true)]) {
    const { asked } = aServer({ [STANDING]: answer, [TEXT]: wording });
    renderApp(<ConsentGate person="ada" />);
    await waitFor(() => expect(asked).toHaveLength(1));
    expect(screen.queryByRole("dialog")).toBeNull();
    cleanup();
  }
});
