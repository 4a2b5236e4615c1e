import { useTranslation } from "react-i18next";

import { Sections } from "@/shared/Sections";

/** The parts of long-term memory: what was said, what was inferred from it, and what was handed over. */
export function MemoryParts({ here }: { here: "memories" | "traits" | "documents" }) {
  const { t } = useTranslation("traits");
  return (
    <Sections
      close
      label={t("parts.label")}
      sections={[
        { href: "/memories", name: t("parts.memories"), here: here === "memories" },
        { href: "/memories/traits", name: t("parts.traits"), here: here === "traits" },
        { href: "/memories/documents", name: t("parts.documents"), here: here === "documents" },
      ]}
    />
  );
}
