import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useId, useMemo } from "react";
import { useTranslation } from "react-i18next";

import type { Acts } from "./acts";
import { Chosen } from "./Chosen";
import { Facets } from "./Facets";
import { groupsOf } from "./facetGroups";
import { AT_FIRST, chosenOf, type Filters } from "./filters";
import { Found } from "./Found";
import { Inbox } from "./Inbox";
import { Narrowing } from "./Narrowing";
import { NOTHING_PICKED, type Picking } from "./picking";
import type { DoneByPlace } from "./rows";
import classes from "./Shelf.module.css";
import { Standing } from "./Standing";
import { getOverviewOptions } from "@/client/@tanstack/react-query.gen";
import { useMemoryWords } from "@/shared/memories/words";
import { useNumbers } from "@/shared/numbers";

interface Props {
  /** What is looked for; empty: everything is listed. */
  query: string;
  filters: Filters;
  onFilters: (filters: Filters) => void;
  done: DoneByPlace;
  narrow: boolean;
  acts: Acts;
  picking: Picking;
  /** Counts on when the person asked for what is new. */
  moment: number;
  onRenew: () => void;
  onAdd: () => void;
}

/** All memories: facets beside them, or behind a button when narrow. */
export function Shelf({ query, filters, onFilters, narrow, ...list }: Props) {
  const { t } = useTranslation("memories");
  const words = useMemoryWords();
  const number = useNumbers();
  const id = useId();
  const { data: overview } = useQuery({ ...getOverviewOptions({ query: filters }), placeholderData: keepPreviousData });
  const groups = useMemo(
    () => (overview === undefined ? [] : groupsOf(overview, filters, words, t)),
    [overview, filters, words, t],
  );
  const facets = <Facets groups={groups} filters={filters} onChange={onFilters} />;
  const { done, acts, picking } = list;
  const shared = { filters, done, narrow, acts, picking, onUnfiltered: () => onFilters(AT_FIRST) };
  const nothing = overview?.validity.length === 0 && chosenOf(filters).length === 0;
  return (
    <div className={nothing ? undefined : classes.shelf}>
      {!narrow && !nothing && <div className={classes.facets}>{facets}</div>}
      <div>
        {query === "" && <Inbox acts={list.acts} moment={list.moment} />}
        <Stack component="section" gap="md" aria-labelledby={nothing ? undefined : id}>
          {!nothing && (
            <Group justify="space-between" gap="sm">
              <Title order={2} size="h3" id={id}>
                {query === "" ? t("list.title") : t("search.title")}{" "}
                {query === "" && overview !== undefined && (
                  <Text span c="dimmed" fw={400}>
                    {number(overview.memories)}
                  </Text>
                )}
              </Title>
              <Group gap="sm">
                {!narrow && query === "" && (
                  <Text size="sm" c="dimmed">
                    {t("list.order")}
                  </Text>
                )}
                <Button
                  size={narrow ? "sm" : "xs"}
                  variant={picking.picked === null ? "default" : "light"}
                  aria-pressed={picking.picked !== null}
                  onClick={() => (picking.picked === null ? picking.pick(NOTHING_PICKED) : picking.stop())}
                >
                  {t("pick.start")}
                </Button>
                {narrow && <Narrowing chosen={chosenOf(filters).length}>{facets}</Narrowing>}
              </Group>
            </Group>
          )}
          <Chosen groups={groups} filters={filters} onChange={onFilters} />
          {query === "" ? (
            <Standing {...shared} moment={list.moment} onRenew={list.onRenew} onAdd={list.onAdd} />
          ) : (
            <Found {...shared} query={query} />
          )}
        </Stack>
      </div>
    </div>
  );
}
