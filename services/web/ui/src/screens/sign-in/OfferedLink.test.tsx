import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import i18next from "i18next";
import { afterEach, expect, it } from "vitest";

import { OfferedLink } from "./OfferedLink";
import { useOfferedLink, useSession } from "@/app/session";
import { aServer, later, renderApp } from "@/testing/server";

const SESSION = "/api/v1/session";
const tokenOf = (person: string) => `e30.${btoa(JSON.stringify({ sub: person }))}.c2ln`;
const sessionOf = (person: string) => ({ user_id: person, expires_at: "2030-01-01T00:00:00Z" });
const NOBODY = { problem: "credentials_missing", status: 401 };

afterEach(() => {
  cleanup();
  history.replaceState(null, "", "/");
});

function Page() {
  const { data } = useSession();
  const offered = useOfferedLink();
  return (
    <>
      <p data-testid="person">{data?.user_id ?? "nobody"}</p>
      {offered !== null && <OfferedLink person={data?.user_id ?? ""} token={offered} />}
    </>
  );
}

/** Open a link that signs in Bob while somebody is signed in already. */
const openLink = (running: string | null) => {
  history.replaceState(null, "", `/#token=${tokenOf("bob")}`);
  const server = aServer({
    [`GET ${SESSION}`]: running === null ? NOBODY : sessionOf(running),
    [`POST ${SESSION}`]: sessionOf("bob"),
  });
  renderApp(<Page />);
  return server;
};

const isSignedIn = (person: string) => waitFor(() => expect(screen.getByTestId("person")).toHaveTextContent(person));
const signedIn = ({ asked }: { asked: [string, unknown][] }) => asked.filter(([route]) => route === `POST ${SESSION}`);

it.each([
  ["en", "Stay ada", "Switch to bob"],
  ["zh", "继续用 ada", "换成 bob"],
])("a link for somebody else replaces nobody before it was asked (%s)", async (language, stay, change) => {
  await i18next.changeLanguage(language);
  const declined = openLink("ada");
  const button = await screen.findByText(stay);
  expect(screen.getByRole("dialog")).toHaveTextContent("ada");
  expect(location.hash).toBe("");
  await userEvent.click(button);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await isSignedIn("ada");
  expect(signedIn(declined)).toEqual([]);
  cleanup();

  const accepted = openLink("ada");
  await userEvent.click(await screen.findByRole("button", { name: change }));
  await isSignedIn("bob");
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(signedIn(accepted)).toEqual([[`POST ${SESSION}`, { token: tokenOf("bob") }]]);
});

it.each([null, "bob"])("a link signs in at once whom it would not replace (%s)", async (running) => {
  const server = openLink(running);
  await waitFor(() => expect(signedIn(server)).toHaveLength(1));
  await isSignedIn("bob");
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("stays open while it signs in: the Escape key does not cancel a request that was sent", async () => {
  await i18next.changeLanguage("en");
  const answer = later(sessionOf("bob"));
  history.replaceState(null, "", `/#token=${tokenOf("bob")}`);
  aServer({ [`GET ${SESSION}`]: sessionOf("ada"), [`POST ${SESSION}`]: () => answer.coming });
  renderApp(<Page />);
  await userEvent.click(await screen.findByText("Switch to bob"));
  await userEvent.keyboard("{Escape}");
  expect(screen.getByRole("dialog")).toBeVisible();
  answer.come();
  await isSignedIn("bob");
});
