import { Fragment, Suspense } from "react";

import type { Why } from "./assistant";
import { piecesOf } from "./citations";
import { Boundary } from "@/shared/Boundary";
import { part } from "@/shared/parts";

const Citation = part(async () => ({ default: (await import("@/later")).Citation }));

interface Props {
  text: string;
  conversation: string;
  /** Why each thing was given to the assistant, by its id, as far as it is known. */
  reasons: Readonly<Record<string, Why>>;
}

/** What the assistant said; what it cites as small numbers that open it. */
export function Answer({ text, conversation, reasons }: Props) {
  return piecesOf(text).map((piece, index) =>
    "words" in piece ? (
      <Fragment key={index}>{piece.words}</Fragment>
    ) : (
      <Fragment key={index}>
        {piece.sources.map((source) => (
          <Boundary key={source.id} broken={() => <sup>{source.number}</sup>}>
            <Suspense fallback={<sup>{source.number}</sup>}>
              <Citation source={source} conversation={conversation} reason={reasons[source.id]} />
            </Suspense>
          </Boundary>
        ))}
      </Fragment>
    ),
  );
}
