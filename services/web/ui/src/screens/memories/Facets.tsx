import { UnstyledButton } from "@mantine/core";
import { useId } from "react";
import { useTranslation } from "react-i18next";

import type { Group } from "./facetGroups";
import classes from "./Facets.module.css";
import { type Filters, toggled } from "./filters";
import { useNumbers } from "@/shared/numbers";

interface Props {
  groups: readonly Group[];
  filters: Filters;
  onChange: (filters: Filters) => void;
}

/** What the memories can be narrowed down by, with how many there are of each. Pressing again takes it back. */
export function Facets({ groups, filters, onChange }: Props) {
  const { t } = useTranslation("memories");
  const number = useNumbers();
  const id = useId();
  return groups.map(({ name, choices }) => (
    <div key={name} role="group" aria-labelledby={`${id}-${name}`} className={classes.group}>
      <div id={`${id}-${name}`} className={classes.name}>
        {t(`facet.name.${name}`)}
      </div>
      {choices.map(({ facet, value, label, count }) => (
        <UnstyledButton
          key={`${facet} ${String(value)}`}
          className={classes.choice}
          aria-pressed={filters[facet] === value}
          onClick={() => onChange(toggled(filters, facet, value))}
        >
          <span className={classes.label}>{label}</span>
          <span className={classes.count}>{number(count)}</span>
        </UnstyledButton>
      ))}
    </div>
  ));
}
