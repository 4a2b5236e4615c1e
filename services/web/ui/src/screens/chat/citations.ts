const ID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
/** A memory, or a part of a document with its page. */
const ONE = `(?:Memory|Document)#${ID}(?: p\\. \\d+)?`;
/** `[Memory#…]`, several of them in one pair of brackets, or one without any; with the space before it. */
const CITATION = new RegExp(`\\s*(?:\\[(?:[\\s,;，、；]*${ONE})+\\s*\\]|${ONE})`, "gi");
const SOURCE = new RegExp(`(?:Memory|Document)#(${ID})`, "gi");
/** The beginning of a citation whose end is still on its way. */
const UNFINISHED =
  /\s*\[(?:(?:Memory|Document)#[0-9a-f-]*(?: p\. \d*)?[\s,;，、；]*)*(?:M|Me|Mem|Memo|Memor|Memory|D|Do|Doc|Docu|Docum|Docume|Documen|Document)?$/i;

/** A stretch of an answer: its words, or the sources cited at that place. */
export type Piece = { words: string } | { sources: readonly Source[] };

/** Something an answer cites; numbered from 1 in the order of its first mention. */
export interface Source {
  id: string;
  number: number;
}

/** What an answer says and what it cites, in order. */
export function piecesOf(answer: string): Piece[] {
  const numbers = new Map<string, number>();
  const numbered = (id: string): Source => {
    if (!numbers.has(id)) numbers.set(id, numbers.size + 1);
    return { id, number: numbers.get(id) ?? 0 };
  };
  const pieces: Piece[] = [];
  let end = 0;
  for (const found of answer.matchAll(CITATION)) {
    if (found.index > end) pieces.push({ words: answer.slice(end, found.index) });
    pieces.push({ sources: idsIn(found[0]).map(numbered) });
    end = found.index + found[0].length;
  }
  if (end < answer.length) pieces.push({ words: answer.slice(end) });
  return pieces;
}

/** What an answer cites, each once, in the order of its first mention. */
export const sourcesOf = (answer: string): Source[] =>
  [...new Set(idsIn(answer))].map((id, index) => ({ id, number: index + 1 }));

/** An answer that is still being written, without a citation that is not whole yet. */
export const withoutUnfinishedCitation = (answer: string): string => answer.replace(UNFINISHED, "");

/** What an answer says, without what it cites. */
export const wordsOf = (answer: string): string => answer.replaceAll(CITATION, "");

const idsIn = (text: string): string[] => [...text.matchAll(SOURCE)].map(([, id = ""]) => id.toLowerCase());
