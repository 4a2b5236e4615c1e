import { cleanup, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it } from "vitest";

import { TimeZone } from "./TimeZone";
import i18n from "@/app/i18n";
import type { SettingsOut } from "@/client";
import { aServer, renderApp } from "@/testing/server";

const SETTINGS = "/api/v1/memory/settings";
const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const settings = (time_zone: string | null) => ({ time_zone }) as SettingsOut;

beforeEach(() => i18n.changeLanguage("en"));
afterEach(cleanup);

it("is not sent before its person says so", async () => {
  const { asked } = aServer({ [`PATCH ${SETTINGS}`]: settings(HERE) });
  renderApp(<TimeZone settings={settings(null)} />);
  expect(screen.getByText(/^Not set/)).toBeVisible();
  expect(asked).toEqual([]);
  await userEvent.click(screen.getByRole("button", { name: `Use ${HERE}` }));
  expect(await screen.findByText("Saved")).toBeVisible();
  expect(asked[0]).toEqual([`PATCH ${SETTINGS}`, { time_zone: HERE }]);
});

it("can be removed", async () => {
  const { asked } = aServer({ [`PATCH ${SETTINGS}`]: settings(null) });
  renderApp(<TimeZone settings={settings("Asia/Shanghai")} />);
  expect(screen.getByText(/^Asia\/Shanghai/)).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Remove" }));
  expect(await screen.findByText("Saved")).toBeVisible();
  expect(asked[0]).toEqual([`PATCH ${SETTINGS}`, { time_zone: null }]);
});
