import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";

import { Sections as Shown } from "@/shared/Sections";

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
  const sections = SECTIONS.map(({ name, words }) => ({
    href: `/data/${name}`,
    name: words(t),
    here: name === here,
  }));
  return <Shown label={t("sections.label")} sections={sections} />;
}
