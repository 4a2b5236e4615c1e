import { memo } from "react";
import { useTranslation } from "react-i18next";

import type { TraitActs } from "./acts";
import { TraitActions } from "./TraitActions";
import { isOverruled, useTraitWords } from "./words";
import type { TraitOut } from "@/client";
import classes from "@/shared/memories/MemoryCard.module.css";

interface Props {
  trait: TraitOut;
  acts: TraitActs;
}

/** One thing that is inferred: the sentence, how sure it is, where it holds, what it comes from. */
export const TraitCard = memo(function TraitCard({ trait, acts }: Props) {
  const words = useTraitWords();
  const sentence = `trait-${trait.id}`;
  return (
    <article
      className={`card ${classes.card ?? ""}`}
      data-quiet={isOverruled(trait) || undefined}
      aria-labelledby={sentence}
    >
      <div id={sentence} className={classes.sentence}>
        {words.sentence(trait)}
      </div>
      <TraitLine trait={trait} />
      <TraitActions trait={trait} acts={acts} describedBy={sentence} />
    </article>
  );
});

/** What is to be known of a trait, in one line. */
export function TraitLine({ trait }: { trait: TraitOut }) {
  const { t } = useTranslation("traits");
  const words = useTraitWords();
  return (
    <div className={classes.line}>
      <span>{words.line(trait)}</span>
      {trait.confirmed && <span className={classes.fresh}>{t("badge.confirmed")}</span>}
      {isOverruled(trait) && <span className={classes.standing}>{t("badge.overruled")}</span>}
    </div>
  );
}
