import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import i18next from "i18next";
import { afterEach, beforeEach, expect, it } from "vitest";

import { TraitsNotice } from "./TraitsNotice";
import { aServer, renderApp } from "@/testing/server";
import { aTrait } from "@/testing/traits";

const LIST = "GET /api/v1/memory/traits";
const notice = () => screen.queryByRole("region", { name: "What it makes of you" });

beforeEach(async () => {
  localStorage.clear();
  await i18next.changeLanguage("en");
});
afterEach(() => {
  cleanup();
  history.replaceState(null, "", "/");
});

it("says once that something was inferred, and leads there", async () => {
  const { asked } = aServer({ [LIST]: [aTrait(1)] });
  renderApp(<TraitsNotice person="ada" />);
  expect(await screen.findByRole("link", { name: "Look at it" })).toHaveAttribute("href", "/memories/traits");
  await userEvent.click(screen.getByRole("button", { name: "Close this notice" }));
  expect(notice()).toBeNull();
  cleanup();
  renderApp(<TraitsNotice person="ada" />);
  expect(notice()).toBeNull();
  expect(asked).toHaveLength(1);
  cleanup();
  renderApp(<TraitsNotice person="ben" />);
  await waitFor(() => expect(notice()).toBeVisible());
});

it("says nothing while there is nothing, and to nobody who looks already", async () => {
  const { asked } = aServer({ [LIST]: [] });
  renderApp(<TraitsNotice person="ada" />);
  await waitFor(() => expect(asked).toHaveLength(1));
  expect(notice()).toBeNull();
  cleanup();
  history.replaceState(null, "", "/memories/traits");
  aServer({ [LIST]: [aTrait(1)] });
  renderApp(<TraitsNotice person="ada" />);
  await waitFor(() => expect(localStorage.getItem("traits-told ada")).toBe("true"));
  expect(notice()).toBeNull();
});
