import { VisuallyHidden } from "@mantine/core";
import { useEffect, useState } from "react";

import { wordsOf } from "./citations";
import type { Exchange } from "./exchange";

/** How long the words stay: read out by then, and not found a second time by who reads on. */
const STAYS_MILLISECONDS = 10_000;

/** Tells a screen reader the answer, once it is whole: while it is written its words come too fast to be read out. */
export function Announced({ exchange }: { exchange: Exchange | undefined }) {
  const [heard, setHeard] = useState({ exchange: "", words: "" });
  const whole = exchange?.step === "keeping" || exchange?.step === "done";
  if (whole && exchange.id !== heard.exchange) setHeard({ exchange: exchange.id, words: wordsOf(exchange.answer) });
  useEffect(() => {
    const gone = setTimeout(() => setHeard((one) => ({ ...one, words: "" })), STAYS_MILLISECONDS);
    return () => clearTimeout(gone);
  }, [heard.exchange]);
  return <VisuallyHidden role="status">{heard.words}</VisuallyHidden>;
}
