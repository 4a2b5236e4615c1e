import { Button, Group } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";

import type { Group as FacetGroup } from "./facetGroups";
import { AT_FIRST, chosenOf, type Filters, without } from "./filters";

interface Props {
  groups: readonly FacetGroup[];
  filters: Filters;
  onChange: (filters: Filters) => void;
}

/** What the list is narrowed down to; each can be taken away. */
export function Chosen({ groups, filters, onChange }: Props) {
  const { t } = useTranslation("memories");
  const chosen = groups
    .flatMap(({ choices }) => choices)
    .filter(({ facet, value }) => filters[facet] === value && chosenOf(filters).includes(facet));
  if (chosen.length === 0) return null;
  return (
    <Group gap="xs">
      {chosen.map(({ facet, label }) => (
        <Button
          key={facet}
          size="compact-sm"
          variant="light"
          rightSection={<IconX size={14} aria-hidden />}
          aria-label={t("facet.remove", { label })}
          onClick={() => onChange(facet === "validity" ? AT_FIRST : without(filters, facet))}
        >
          {label}
        </Button>
      ))}
      {chosen.length > 1 && (
        <Button size="compact-sm" variant="subtle" color="gray" onClick={() => onChange(AT_FIRST)}>
          {t("facet.clear")}
        </Button>
      )}
    </Group>
  );
}
