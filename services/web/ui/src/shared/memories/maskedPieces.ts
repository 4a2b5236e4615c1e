const MASK = /\[(credential|key|wallet|payment|identity|email|phone|name|path)\]/;

/** What the server put in place of something sensitive. */
export type Kind = "credential" | "key" | "wallet" | "payment" | "identity" | "email" | "phone" | "name" | "path";

type Piece = { words: string } | { kind: Kind };

/** A text in pieces: its words, and the kinds of what was left out between them. */
export function piecesOf(text: string): Piece[] {
  // Split by a pattern with one group: what the group found stands at every odd place.
  const pieces = text
    .split(MASK)
    .map((piece, place): Piece => (place % 2 === 1 ? { kind: piece as Kind } : { words: piece }));
  return pieces.filter((piece) => !("words" in piece && piece.words === ""));
}
