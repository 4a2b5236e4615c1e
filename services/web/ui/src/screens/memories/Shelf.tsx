import { ActionIcon, Button, Group, Stack, Text, Title } from "@mantine/core";
import { IconBaselineDensitySmall } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useId, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";

import type { Acts } from "./acts";
import { Chosen } from "./Chosen";
import { Facets } from "./Facets";
import { groupsOf } from "./facetGroups";
import { AT_FIRST, chosenOf, type Filters, type Sort } from "./filters";
import { Found } from "./Found";
import { Inbox } from "./Inbox";
import { Narrowing } from "./Narrowing";
import { Order } from "./Order";
import { NOTHING_PICKED, type Picking } from "./picking";
import type { DoneByPlace } from "./rows";
import classes from "./Shelf.module.css";
import { Standing } from "./Standing";
import { useCompact } from "./useCompact";
import { useInbox } from "./useInbox";
import { useStandingList } from "./useStandingList";
import { getOverviewOptions } from "@/client/@tanstack/react-query.gen";
import { StillLearning } from "@/shared/memories/StillLearning";
import { useMemoryWords } from "@/shared/memories/words";
import { Failed } from "@/shared/Failed";
import { useNumbers } from "@/shared/numbers";
import { Waiting } from "@/shared/Waiting";

interface Props {
  /** What is looked for; empty: everything is listed. */
  query: string;
  filters: Filters;
  sort: Sort;
  /** Show another list. */
  onShow: (filters: Filters, sort: Sort) => void;
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
export function Shelf({ query, filters, sort, onShow, narrow, ...list }: Props) {
  const { t } = useTranslation("memories");
  const words = useMemoryWords();
  const number = useNumbers();
  const id = useId();
  const {
    data: overview,
    error: overviewError,
    refetch,
  } = useQuery({ ...getOverviewOptions({ query: filters }), placeholderData: keepPreviousData });
  const inbox = useInbox(list.moment);
  const standing = useStandingList(filters, sort, list.done);
  const [compact, setCompact] = useCompact();
  // All of it at once: what comes later would push down what is there.
  const ready = overview !== undefined && !inbox.isPending && !standing.list.isPending;
  const unread = standing.list.isError && standing.list.data === undefined;
  const [shown, setShown] = useState(ready);
  if (ready && !shown) setShown(true);
  const groups = useMemo(
    () => (overview === undefined ? [] : groupsOf(overview, filters, words, t)),
    [overview, filters, words, t],
  );
  const onFilters = (chosen: Filters) => onShow(chosen, sort);
  const facets = <Facets groups={groups} filters={filters} onChange={onFilters} />;
  const { done, acts, picking } = list;
  const shared = { filters, narrow, compact, acts, picking, onUnfiltered: () => onFilters(AT_FIRST) };
  const nothing = overview?.validity.length === 0 && chosenOf(filters).length === 0;
  if (overviewError !== null && overview === undefined) {
    return <Failed error={overviewError} again={() => void refetch()} />;
  }
  if (!shown) return <Waiting lines={4} />;
  return (
    <div className={nothing ? undefined : classes.shelf}>
      {!narrow && !nothing && <div className={classes.facets}>{facets}</div>}
      <div>
        <StillLearning />
        {query === "" && !unread && <Inbox acts={list.acts} inbox={inbox} filters={filters} onFilters={onFilters} />}
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
                {query === "" && <Order sort={sort} onChange={(order) => onShow(filters, order)} />}
                <ActionIcon
                  variant={compact ? "light" : "default"}
                  size={narrow ? 36 : 30}
                  aria-label={t("list.compact")}
                  title={t("list.compact")}
                  aria-pressed={compact}
                  onClick={() => setCompact(!compact)}
                >
                  <IconBaselineDensitySmall size={16} aria-hidden />
                </ActionIcon>
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
            <Standing
              {...shared}
              standing={standing}
              overview={overview}
              moment={list.moment}
              onRenew={list.onRenew}
              onAdd={list.onAdd}
            />
          ) : (
            <Found {...shared} done={done} overview={overview} onMoved={list.onRenew} query={query} />
          )}
        </Stack>
      </div>
    </div>
  );
}
