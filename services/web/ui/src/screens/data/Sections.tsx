import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";

import classes from "./Sections.module.css";

export type Section = "something" | "conversation" | "everything" | "export" | "import" | "operations";

const SECTIONS: readonly { name: Section; words: (t: TFunction) => string }[] = [
  { name: "something", words: (t) => t("data:sections.something") },
  { name: "conversation", words: (t) => t("data:sections.conversation") },
  { name: "everything", words: (t) => t("data:sections.everything") },
  { name: "export", words: (t) => t("data:sections.export") },
  { name: "import", words: (t) => t("data:sections.import") },
  { name: "operations", words: (t) => t("data:sections.operations") },
];

/** The ways to make something go, to take it along and to bring it in, and what became of it. */
export function Sections({ here }: { here: Section }) {
  const { t } = useTranslation("data");
  return (
    <nav className={classes.sections} aria-label={t("sections.label")}>
      {SECTIONS.map(({ name, words }) => (
        <Link
          key={name}
          href={`/data/${name}`}
          className={classes.section}
          aria-current={name === here ? "page" : undefined}
        >
          {words(t)}
        </Link>
      ))}
    </nav>
  );
}
