import { memo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";

import classes from "./MemoryCard.module.css";
import { Quote } from "./Quote";
import { isNew, standingOf, useMemoryWords } from "./words";
import type { MemoryOut } from "@/client";

interface Props {
  memory: MemoryOut;
  /** Whether the sentence and what it is are all that is shown, in as little room as they need. */
  compact?: boolean;
  /** What can be done with it; each control is described by the element with the id `sentenceId(memory)`. */
  actions?: ReactNode;
}

/** The id of the element that holds a memory's sentence, for `aria-describedby` of what acts on it. */
export const sentenceId = ({ id }: Pick<MemoryOut, "id">): string => `memory-${id}`;

/** One thing that is remembered: the sentence, what it is, the first quote that shows it. */
export const MemoryCard = memo(function MemoryCard({ memory, compact = false, actions }: Props) {
  const { t } = useTranslation("memories");
  const words = useMemoryWords();
  const standing = words.standing(memory);
  const [source] = memory.sources;
  return (
    <article
      className={`card ${classes.card ?? ""}`}
      data-compact={compact || undefined}
      data-quiet={standingOf(memory) !== "active" || undefined}
      aria-labelledby={sentenceId(memory)}
    >
      <div className={classes.said}>
        <div id={sentenceId(memory)} className={classes.sentence}>
          {memory.content}
        </div>
        <div className={classes.line}>
          <span>{words.line(memory)}</span>
          {isNew(memory) && <span className={classes.fresh}>{t("fresh.badge")}</span>}
          {memory.taboo && <span className={classes.taboo}>{t("taboo.badge")}</span>}
          {standing !== undefined && <span className={classes.standing}>{standing}</span>}
        </div>
      </div>
      {compact ? null : source?.quote != null ? (
        <div className={classes.quote}>
          <Quote source={source} short />
        </div>
      ) : (
        isOrphan(memory) && <div className={`${classes.quote ?? ""} ${classes.line ?? ""}`}>{t("sourceGone")}</div>
      )}
      {actions}
    </article>
  );
});

/** Ways to be learned that need no message: what was written down, brought along, or judged. */
const WITHOUT_MESSAGES: readonly string[] = ["person", "import", "feedback"];

/** Whether it was learned from something said that is no longer there. */
export const isOrphan = ({ sources, method, origin }: Pick<MemoryOut, "sources" | "method" | "origin">): boolean =>
  sources.length === 0 && !WITHOUT_MESSAGES.includes(method ?? "") && origin !== "imported";
