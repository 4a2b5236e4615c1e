import { expect, it } from "vitest";

import { tokenIn, userOf } from "./tokenIn";

it.each([
  ["  eyJ.a-b_c.d \n", "eyJ.a-b_c.d"],
  ["eyJ.a-b\n_c.d", "eyJ.a-b_c.d"],
  ["http://127.0.0.1:8765/#token=eyJ.a-b_c.d%3D", "eyJ.a-b_c.d="],
  ["#token=%zz", "%zz"],
  ["   ", ""],
])("finds the token in %j", (pasted, token) => expect(tokenIn(pasted)).toBe(token));

it.each([
  [`e30.${btoa('{"sub":"ada"}')}.c2ln`, "ada"],
  ["e30.eyJzdWIiOiLnjosg5bCP5piOIn0.c2ln", "王 小明"],
  ["e30.eyJzdWIiOjF9.c2ln", null],
  ["e30.bnVsbA.c2ln", null],
  ["no token", null],
  ["a.%%.b", null],
])("reads whom %j is for", (token, person) => expect(userOf(token)).toBe(person));
