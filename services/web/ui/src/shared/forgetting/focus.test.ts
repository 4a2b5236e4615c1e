import { afterEach, expect, it } from "vitest";
import { waitFor } from "@testing-library/react";

import { keepFocus, openerNow } from "./focus";

afterEach(() => document.body.replaceChildren());

const page = (html: string) => (document.body.innerHTML = `<main><h1>Memories</h1>${html}</main>`);
const byId = (id: string) => document.getElementById(id) as HTMLElement;

it("takes the button of a menu for its item", () => {
  page('<button id="more">⋯</button><div role="menu" aria-labelledby="more"><button id="item">Forget</button></div>');
  byId("item").focus();
  expect(openerNow()).toBe(byId("more"));
});

it("knows of no opener when nothing has the focus", () => {
  page("");
  expect(openerNow()).toBeNull();
});

it("gives the focus to the heading when what held it disappears", async () => {
  page('<div id="card"><button id="forget">Forget</button></div>');
  byId("forget").focus();
  keepFocus(byId("forget"));
  byId("card").remove();
  await waitFor(() => expect(document.querySelector("h1")).toHaveFocus());
});

it("leaves the focus where a person has put it meanwhile", async () => {
  page('<button id="forget">Forget</button><button id="other">Other</button>');
  byId("forget").focus();
  keepFocus(byId("forget"));
  byId("other").focus();
  byId("forget").remove();
  await new Promise((soon) => setTimeout(soon));
  expect(byId("other")).toHaveFocus();
});
