import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import type { Acts } from "./acts";
import classes from "./MemoryList.module.css";
import { MemoryRow } from "./MemoryRow";
import { isTicked, type Picking } from "./picking";
import type { Row } from "./rows";
import { useTop } from "./useTop";

interface Props {
  rows: readonly Row[];
  /** How many there are in all, those not loaded yet included. */
  total: number | undefined;
  narrow: boolean;
  compact: boolean;
  acts: Acts;
  picking: Picking;
  /** Which places are on screen, first and last. */
  onShown: (first: number, last: number) => void;
}

const USUAL_HEIGHT = { compact: 62, full: 158 };

/** Only the cards near the window are in the page; each is as high as its text needs. */
export function MemoryList({ rows, total, narrow, compact, acts, picking, onShown }: Props) {
  const { t } = useTranslation("memories");
  const list = useRef<HTMLUListElement>(null);
  const top = useTop(list);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => (compact ? USUAL_HEIGHT.compact : USUAL_HEIGHT.full),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 5,
    scrollMargin: top,
  });
  // What was measured belongs to the other way of showing them.
  useLayoutEffect(() => virtual.measure(), [compact, virtual]);
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => onShown(first, last), [first, last, onShown]);

  return (
    <ul ref={list} className={classes.list} style={{ height: virtual.getTotalSize() }} aria-label={t("list.label")}>
      {items.map(({ key, index, start }) => {
        const row = rows[index];
        return (
          row !== undefined && (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className={classes.item}
              data-compact={compact || undefined}
              style={{ transform: `translateY(${start - top}px)` }}
              aria-setsize={total ?? -1}
              aria-posinset={index + 1}
            >
              <MemoryRow
                row={row}
                narrow={narrow}
                compact={compact}
                acts={acts}
                ticked={isTicked(row, picking.picked)}
                onTick={picking.tick}
              />
            </li>
          )
        );
      })}
    </ul>
  );
}
