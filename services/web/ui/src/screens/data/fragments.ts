import type { PartOut } from "@/client";

/** A piece of a text: it goes, or it stays. */
export interface Piece {
  text: string;
  goes: boolean;
}

/** Of what stays so much is shown on either side of what goes. */
const AROUND = 60;
const CUT = "…";

/**
 * A text cut into what goes and what stays, in order; what stays is shortened to what stands around.
 *
 * Offsets of parts count characters as the server does, by code points. Without parts all of it goes.
 */
export function piecesOf(content: string, parts: readonly PartOut[] | null): Piece[] {
  if (parts === null) return [{ text: content, goes: true }];
  const characters = Array.from(content);
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, end } of parts) {
    pieces.push({ text: shortened(characters.slice(at, start), at > 0, true), goes: false });
    pieces.push({ text: characters.slice(start, end).join(""), goes: true });
    at = end;
  }
  pieces.push({ text: shortened(characters.slice(at), at > 0, false), goes: false });
  return pieces.filter(({ text }) => text !== "");
}

/** What stays between two parts: what follows the one, and what leads to the other. */
function shortened(characters: readonly string[], follows: boolean, leads: boolean): string {
  const kept = (follows ? AROUND : 0) + (leads ? AROUND : 0);
  if (characters.length <= kept + CUT.length) return characters.join("");
  const head = follows ? characters.slice(0, AROUND) : [];
  const tail = leads ? characters.slice(-AROUND) : [];
  return [...head, CUT, ...tail].join("");
}
