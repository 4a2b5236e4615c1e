import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";

import { Chat } from "./Chat";
import { NEW } from "./useExchange";
import { aServer, renderApp } from "@/testing/server";

function Screens() {
  const [elsewhere, setElsewhere] = useState(false);
  return (
    <>
      <button onClick={() => setElsewhere((before) => !before)}>Elsewhere</button>
      {!elsewhere && <Chat id={NEW} />}
    </>
  );
}

it("keeps the switch and the typed text of a new conversation when its person looks at another screen", async () => {
  aServer({ "GET /api/v1/conversations": [] });
  renderApp(<Screens />);
  await userEvent.click(await screen.findByRole("switch"));
  expect(screen.getByRole("switch")).toBeChecked();
  await userEvent.type(screen.getByRole("textbox", { name: "Message" }), "A surprise");
  await userEvent.click(screen.getByText("Elsewhere"));
  await userEvent.click(screen.getByText("Elsewhere"));
  expect(screen.getByRole("switch")).toBeChecked();
  expect(screen.getByRole("textbox", { name: "Message" })).toHaveValue("A surprise");
});

it("puts an example where one types, and sends nothing by itself", async () => {
  const server = aServer({ "GET /api/v1/conversations": [] });
  renderApp(<Chat id={NEW} />);
  await userEvent.click(await screen.findByText(/allergic to peanuts/));
  const field = screen.getByRole("textbox", { name: "Message" });
  expect(field).toHaveFocus();
  expect(field).toHaveValue("I live in Lisbon, and I'm allergic to peanuts.");
  expect(server.asked.map(([route]) => route)).not.toContain("POST /api/v1/conversations");
});
