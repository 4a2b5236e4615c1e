import { useTranslation } from "react-i18next";

import { Sections } from "@/shared/Sections";

/** The two parts of long-term memory: what was said, and what was inferred from it. */
export function MemoryParts({ here }: { here: "memories" | "traits" }) {
  const { t } = useTranslation("traits");
  return (
    <Sections
      close
      label={t("parts.label")}
      sections={[
        { href: "/memories", name: t("parts.memories"), here: here === "memories" },
        { href: "/memories/traits", name: t("parts.traits"), here: here === "traits" },
      ]}
    />
  );
}
