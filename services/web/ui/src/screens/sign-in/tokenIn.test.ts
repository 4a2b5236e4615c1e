import { expect, it } from "vitest";

import { tokenIn } from "./tokenIn";

it.each([
  ["  eyJ.a-b_c.d \n", "eyJ.a-b_c.d"],
  ["eyJ.a-b\n_c.d", "eyJ.a-b_c.d"],
  ["http://127.0.0.1:8765/#token=eyJ.a-b_c.d%3D", "eyJ.a-b_c.d="],
  ["#token=%zz", "%zz"],
  ["   ", ""],
])("finds the token in %j", (pasted, token) => expect(tokenIn(pasted)).toBe(token));
