import { type InfiniteData, useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { changeLongTerm, type MemoryOut, type SeveralIn, type SeveralOut } from "@/client";
import { STANDING_LIST, useMemoriesOutdated } from "@/shared/memories/changed";
import { useRefusal } from "@/shared/memories/refusals";
import { randomKey } from "@/shared/once";
import type { Page } from "@/shared/pages";
import { codeOf } from "@/shared/problems";
import { toast } from "@/shared/toast";

/** So many are changed in one transaction; the server takes no more. */
const AT_ONCE = 100;

export type SeveralChange = Pick<SeveralIn, "act" | "scope" | "project_id">;

/** What a change makes of a memory that is shown, until it is read again; moving makes another memory. */
const SHOWN: Record<SeveralChange["act"], Partial<MemoryOut>> = {
  keep: { confirmed: true },
  pause: { disabled: true },
  resume: { disabled: false },
  move: {},
};

/**
 * Change those of some memories that are still there; what each became.
 *
 * The server changes none of them if one is gone, so they are tried by halves until that one is alone.
 */
async function changeThoseThere(ids: readonly string[], change: SeveralChange): Promise<SeveralOut["results"]> {
  try {
    const headers = { "Idempotency-Key": randomKey() };
    const { data } = await changeLongTerm({ body: { ...change, ids: [...ids] }, headers, throwOnError: true });
    return data.results;
  } catch (error) {
    if (codeOf(error) !== "not_found") throw error;
    if (ids.length === 1) return [];
    const middle = Math.ceil(ids.length / 2);
    const first = await changeThoseThere(ids.slice(0, middle), change);
    return [...first, ...(await changeThoseThere(ids.slice(middle), change))];
  }
}

/**
 * Keep, pause, resume or move many memories, some at a time. When it breaks off, what was changed stays changed, and how
 * many is said.
 */
export function useChangeSeveral(onDone: (change: SeveralChange) => void) {
  const { t } = useTranslation("memories");
  const queries = useQueryClient();
  const outdated = useMemoriesOutdated();
  const refusal = useRefusal();
  return useMutation({
    mutationFn: async ({ ids, change }: { ids: readonly string[]; change: SeveralChange }) => {
      let changed = 0;
      let left = 0;
      try {
        for (let start = 0; start < ids.length; start += AT_ONCE) {
          const some = ids.slice(start, start + AT_ONCE);
          const results = await changeThoseThere(some, change);
          const done = new Set(results.filter(({ outcome }) => outcome !== "superseded").map(({ id }) => id));
          changed += done.size;
          left += some.length - done.size;
          queries.setQueriesData<InfiniteData<Page<MemoryOut>>>(
            { queryKey: [{ _id: STANDING_LIST }] },
            (list) =>
              list && {
                ...list,
                pages: list.pages.map((page) => ({
                  ...page,
                  items: page.items.map((one) => (done.has(one.id) ? { ...one, ...SHOWN[change.act] } : one)),
                })),
              },
          );
        }
        return { changed, left, broken: undefined };
      } catch (error) {
        return { changed, left, broken: error };
      }
    },
    onSuccess: ({ changed, left, broken }, { change }) => {
      outdated();
      const done = [
        t(`pick.done.${change.act}`, { count: changed }),
        left > 0 ? t("pick.left", { count: left }) : "",
        broken === undefined ? "" : t("pick.broken"),
      ];
      const said = broken !== undefined && changed === 0 ? [refusal(broken)] : done;
      toast({ message: said.filter(Boolean).join(t("sentenceGap")) });
      if (broken === undefined) onDone(change);
    },
  });
}
