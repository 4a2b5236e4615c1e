import { Checkbox } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { memo, useLayoutEffect, useRef } from "react";

import type { Acts } from "./acts";
import { CardActions } from "./CardActions";
import { Forgotten } from "./Forgotten";
import classes from "./MemoryRow.module.css";
import type { Row } from "./rows";
import type { MemoryOut } from "@/client";
import { getLongTermOptions } from "@/client/@tanstack/react-query.gen";
import { MemoryCard, sentenceId } from "@/shared/memories/MemoryCard";

interface Props {
  row: Row;
  narrow: boolean;
  compact: boolean;
  acts: Acts;
  /** Whether it is picked; `undefined`: it cannot be. */
  ticked: boolean | undefined;
  onTick: (memoryId: string, wanted: boolean) => void;
}

/** One place of the list: a memory, or what becomes of one that was forgotten just now. */
export const MemoryRow = memo(function MemoryRow({ row, narrow, compact, acts, ticked, onTick }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const isForgotten = "operationId" in row;
  const wasForgotten = useRef(isForgotten);
  // Who undid it by the keyboard finds the memory where its notice was.
  useLayoutEffect(() => {
    const isBack = wasForgotten.current && !isForgotten;
    wasForgotten.current = isForgotten;
    if (isBack && document.activeElement === document.body) place.current?.querySelector("button")?.focus();
  }, [isForgotten]);
  return (
    <div ref={place}>
      {isForgotten ? (
        <Forgotten operationId={row.operationId} onUndone={acts.undone} />
      ) : (
        <div className={classes.place}>
          {ticked !== undefined && (
            <Checkbox
              checked={ticked}
              onChange={(event) => onTick(row.memory.id, event.currentTarget.checked)}
              aria-labelledby={sentenceId(row.memory)}
              mt={compact ? 10 : 18}
            />
          )}
          <Kept memory={row.memory} edited={row.edited} narrow={narrow} compact={compact} acts={acts} />
        </div>
      )}
    </div>
  );
});

type KeptProps = Pick<Props, "narrow" | "compact" | "acts"> & { memory: MemoryOut; edited: boolean };

/** What came of an edit belongs elsewhere in the list: it is read by itself as long as it stands here. */
function Kept({ memory, edited, narrow, compact, acts }: KeptProps) {
  const { data, isError } = useQuery({ ...getLongTermOptions({ path: { memory_id: memory.id } }), enabled: edited });
  if (edited && isError) return null;
  const current = (edited ? data : undefined) ?? memory;
  const actions = <CardActions memory={current} acts={acts} narrow={narrow || compact} />;
  return <MemoryCard memory={current} compact={compact} actions={actions} />;
}
