import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";

import { Setting } from "./Setting";
import i18n from "@/app/i18n";
import "@/app/client";
import type { SettingsOut } from "@/client";
import { client } from "@/client/client.gen";

const settings: SettingsOut = {
  user_id: "ada",
  summary_enabled: true,
  episodic_enabled: true,
  longterm_enabled: true,
  injection_enabled: true,
  preference_learning_enabled: true,
  privacy_mode_enabled: false,
  preference_learning_threshold: 3,
  traits_enabled: true,
  time_zone: null,
  updated_at: null,
};

/** Let the server answer everything with this, and return what it was asked. */
function answering(status: number, body: object): Request[] {
  const asked: Request[] = [];
  client.setConfig({
    baseUrl: "http://localhost",
    fetch: (request) => {
      asked.push(request as Request);
      return Promise.resolve(
        new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } }),
      );
    },
  });
  return asked;
}

function showSwitch(): HTMLElement {
  render(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <Setting name="longterm_enabled" settings={settings} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return screen.getByRole("switch");
}

beforeEach(() => i18n.changeLanguage("en"));

test("a switch is saved as soon as it is turned, and says so", async () => {
  const asked = answering(200, { ...settings, longterm_enabled: false });
  await userEvent.click(showSwitch());
  expect(await screen.findByText("Saved")).toBeInTheDocument();
  expect(asked.map(({ method }) => method)).toEqual(["PATCH"]);
  expect(await asked[0]?.json()).toEqual({ longterm_enabled: false });
});

test("a switch that could not be saved goes back and says why", async () => {
  answering(503, { code: "busy", status: 503, title: "Busy", type: "about:blank" });
  const theSwitch = showSwitch();
  await userEvent.click(theSwitch);
  expect(await screen.findByRole("alert")).toBeInTheDocument();
  expect(theSwitch).toBeChecked();
  expect(screen.queryByText("Saved")).toBeNull();
});

test.each([
  ["en", "Long-term memory", "Turning this off keeps what is already remembered."],
  ["zh", "长期记忆", "关闭后已有的记忆会保留"],
])("a switch says what it is and what it does not do (%s)", async (language, name, does) => {
  await i18n.changeLanguage(language);
  const theSwitch = showSwitch();
  expect(theSwitch).toHaveAccessibleName(name);
  expect(theSwitch.getAttribute("aria-describedby")).not.toBeNull();
  expect(theSwitch).toHaveAccessibleDescription(expect.stringContaining(does));
});
