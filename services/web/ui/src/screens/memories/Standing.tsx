import { Button, Loader } from "@mantine/core";
import { IconArrowUp } from "@tabler/icons-react";
import { useCallback, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import type { Acts } from "./acts";
import { Empty } from "./Empty";
import { chosenOf, type Filters } from "./filters";
import { MemoryList } from "./MemoryList";
import { PickBar } from "./PickBar";
import type { Picking } from "./picking";
import classes from "./Shelf.module.css";
import type { StandingList } from "./useStandingList";
import type { OverviewOut } from "@/client";
import { Failed } from "@/shared/Failed";
import { toast } from "@/shared/toast";
import { useProblemWords } from "@/shared/useProblemWords";
import { Waiting } from "@/shared/Waiting";

interface Props {
  filters: Filters;
  standing: StandingList;
  overview: OverviewOut | undefined;
  narrow: boolean;
  compact: boolean;
  acts: Acts;
  picking: Picking;
  moment: number;
  onRenew: () => void;
  onAdd: () => void;
  onUnfiltered: () => void;
}

const AHEAD = 12;

/** All memories that the filters leave, in order; what is new waits behind a button. */
export function Standing({
  standing,
  filters,
  overview,
  narrow,
  compact,
  acts,
  picking,
  moment,
  onRenew,
  onAdd,
  onUnfiltered,
}: Props) {
  const { t } = useTranslation("memories");
  const words = useProblemWords();
  const { list, rows, newer, renew, watch } = standing;
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = list;
  const count = rows.length;
  const nothingYet = list.isSuccess && count === 0;

  const onShown = useCallback(
    (first: number, last: number) => {
      watch(first, last);
      if (hasNextPage && !isFetchingNextPage && last >= count - AHEAD) void fetchNextPage();
    },
    [watch, hasNextPage, isFetchingNextPage, count, fetchNextPage],
  );
  const asked = useRef(moment);
  useEffect(() => {
    if (asked.current === moment) return;
    asked.current = moment;
    renew().then(
      () => window.scrollTo({ top: 0 }),
      (error: unknown) => toast({ message: words(error), color: "gray" }),
    );
  }, [moment, renew, words]);
  useEffect(() => {
    if (nothingYet && newer > 0) void renew();
  }, [nothingYet, newer, renew]);

  if (list.isPending) return <Waiting />;
  if (list.data === undefined) return <Failed error={list.error} again={() => void list.refetch()} />;
  if (count === 0) return <Empty filtered={chosenOf(filters).length > 0} onUnfiltered={onUnfiltered} onAdd={onAdd} />;
  return (
    <div>
      <div className={classes.newer} role="status">
        {newer > 0 && (
          <Button size="compact-md" radius="xl" leftSection={<IconArrowUp size={16} aria-hidden />} onClick={onRenew}>
            {t("list.newer", { count: newer })}
          </Button>
        )}
      </div>
      <MemoryList
        rows={rows}
        total={hasNextPage ? undefined : count}
        narrow={narrow}
        compact={compact}
        acts={acts}
        picking={picking}
        onShown={onShown}
      />
      {isFetchingNextPage && <Loader size="sm" mx="auto" aria-label={t("list.more")} />}
      {list.error !== null && <Failed error={list.error} again={() => void fetchNextPage()} />}
      {picking.picked !== null && (
        <PickBar
          rows={rows}
          filters={filters}
          overview={overview}
          picked={picking.picked}
          picking={picking}
          onMoved={onRenew}
        />
      )}
    </div>
  );
}
