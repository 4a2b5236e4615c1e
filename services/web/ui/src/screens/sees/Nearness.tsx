import { useTranslation } from "react-i18next";

import classes from "./sees.module.css";
import { nearness } from "./sections";
import type { ScoreOut } from "@/client";
import { useNumbers } from "@/shared/numbers";

/** How near something is to the question, and what makes it so: a small bar for each part of its score. */
export function Nearness({ score }: { score: ScoreOut }) {
  const { t, i18n } = useTranslation("sees");
  const number = useNumbers(2);
  return (
    <dl className={classes.scores}>
      {nearness(score.parts).map(({ name, value, share }) => (
        <div key={name}>
          <dt>
            {i18n.exists(`nearness.part.${name}`, { ns: "sees" }) ? t(`nearness.part.${name}`) : t("nearness.other")}
          </dt>
          <dd>
            <span className={classes.bar} aria-hidden>
              <span style={{ inlineSize: `${share * 100}%` }} />
            </span>
            {number(value)}
          </dd>
        </div>
      ))}
      <div>
        <dt>{t("nearness.total")}</dt>
        <dd>{number(score.total)}</dd>
      </div>
    </dl>
  );
}
