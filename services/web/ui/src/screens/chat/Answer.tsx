import { Fragment, lazy, Suspense } from "react";

import { piecesOf } from "./citations";

const Citation = lazy(() => import("./Citation"));

interface Props {
  text: string;
  conversation: string;
  /** Why each thing was given to the assistant, by its id, as far as it is known. */
  reasons: Readonly<Record<string, string>>;
}

/** What the assistant said; what it cites as small numbers that open it. */
export function Answer({ text, conversation, reasons }: Props) {
  return piecesOf(text).map((piece, index) =>
    "words" in piece ? (
      <Fragment key={index}>{piece.words}</Fragment>
    ) : (
      <Fragment key={index}>
        {piece.sources.map((source) => (
          <Suspense key={source.id} fallback={<sup>{source.number}</sup>}>
            <Citation source={source} conversation={conversation} reason={reasons[source.id]} />
          </Suspense>
        ))}
      </Fragment>
    ),
  );
}
