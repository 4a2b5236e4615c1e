import { useTranslation } from "react-i18next";
import { Link } from "wouter";

import classes from "./Quote.module.css";
import type { SourceOut } from "@/client";
import { When } from "@/shared/When";

interface Props {
  source: Pick<SourceOut, "quote" | "spoken_at" | "conversation_id" | "conversation_title" | "role">;
  /** Whether a long quote is cut after two lines. */
  short?: boolean;
}

/** What was said, by whom, when and in which conversation; the conversation is a link. */
export function Quote({ source, short = false }: Props) {
  const { t } = useTranslation("memories");
  return (
    <blockquote className="quote">
      {source.quote !== null && (
        <div className={classes.words} data-short={short || undefined}>
          {t("quote.words", { quote: source.quote })}
        </div>
      )}
      <footer className={classes.origin}>
        <Origin source={source} />
      </footer>
    </blockquote>
  );
}

/** When and in which conversation something was said; the conversation is a link. */
export function Origin({ source }: { source: Omit<Props["source"], "quote"> }) {
  const { t } = useTranslation("memories");
  return (
    <>
      {source.role === "assistant" && t("quote.assistant")} <When at={source.spoken_at} />
      {t("separator")}
      <Link href={`/conversation/${source.conversation_id}`} className={classes.link}>
        {source.conversation_title ?? t("quote.untitled")}
      </Link>
    </>
  );
}
