import { Button } from "@mantine/core";
import { useDebouncedValue, useDisclosure, useMediaQuery } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useCallback, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useSearch } from "wouter";

import type { Acts } from "./acts";
import { addressOf, type Filters, filtersIn, type Sort, sortIn } from "./filters";
import { MemoryParts } from "./MemoryParts";
import { NOTHING_PICKED, type Picked, type Picking, withPicked } from "./picking";
import { OpenWhy } from "./OpenWhy";
import type { Done } from "./rows";
import { SearchBox } from "./SearchBox";
import { Shelf } from "./Shelf";
import type { MemoryOut } from "@/client";
import { WIDE } from "@/app/Frame";
import { keepFocus, openerNow } from "@/shared/forgetting/focus";
import { useForgetSmall } from "@/shared/forgetting/useForgetSmall";
import { OpenMemoryDialog } from "@/shared/memories/OpenMemoryDialog";
import { useMemoryActions } from "@/shared/memories/useMemoryActions";
import { Screen } from "@/shared/Screen";

const PAUSE_IN_TYPING = 350;

/** Everything that is remembered: what waits for a decision, then all of it, searched and narrowed down. */
export function Memories({ id }: { id: string | undefined }) {
  const { t } = useTranslation("memories");
  const [, navigate] = useLocation();
  const narrow = !useMediaQuery(WIDE, true, { getInitialValueInEffect: false });
  const [typed, setTyped] = useState("");
  const [query] = useDebouncedValue(typed.trim(), PAUSE_IN_TYPING);
  const search = useSearch();
  const { filters, sort, address } = useMemo(() => {
    const asked = new URLSearchParams(search);
    const [chosen, order] = [filtersIn(asked), sortIn(asked)];
    return { filters: chosen, sort: order, address: addressOf(chosen, order) };
  }, [search]);
  const [done, setDone] = useState<ReadonlyMap<string, Done>>(new Map());
  const [edited, setEdited] = useState<MemoryOut>();
  const [writing, { open: write, close: stopWriting }] = useDisclosure(false);
  const [moment, setMoment] = useState(0);
  const [picked, setPicked] = useState<Picked | null>(null);
  const { confirm, pause } = useMemoryActions();
  const { mutate: keep } = confirm;

  const mark = useCallback((place: string, what: Done) => setDone((before) => new Map(before).set(place, what)), []);
  const takeBack = useCallback(
    (operationId: string) =>
      setDone(
        (before) =>
          new Map(
            [...before].map(([place, what]) => [place, isForget(what, operationId) ? { ...what, undone: true } : what]),
          ),
      ),
    [],
  );
  const asked = useRef(new Map<string, number>());
  const { mutate: forget } = useForgetSmall((memoryId, operationId) =>
    mark(memoryId, { kind: "forgotten", operationId, undone: false, importance: asked.current.get(memoryId) ?? 0 }),
  );
  // What is picked stands in the list that is shown: another list begins with nothing.
  const unpick = useCallback(() => setPicked((before) => (before === null ? null : NOTHING_PICKED)), []);
  const show = useCallback(
    (chosen: Filters, order: Sort) => {
      setDone(new Map());
      navigate(`/memories${addressOf(chosen, order)}`);
      unpick();
    },
    [navigate, unpick],
  );
  const renew = useCallback(() => setMoment((before) => before + 1), []);
  const add = useCallback(() => {
    setEdited(undefined);
    write();
  }, [write]);
  const close = useCallback(() => navigate(`/memories${address}`, { replace: true }), [navigate, address]);

  const acts: Acts = useMemo(
    () => ({
      keep: (memory) => {
        keepFocus(openerNow());
        keep({ memory_id: memory.id });
      },
      why: (memory) => navigate(`/memories/${memory.id}${address}`),
      edit: (memory) => {
        setEdited(memory);
        write();
      },
      pause: (memory, paused) => pause({ memory, paused }),
      forget: (memory) => {
        asked.current.set(memory.id, memory.importance);
        forget(memory.id);
      },
      undone: takeBack,
    }),
    [keep, navigate, address, write, pause, forget, takeBack],
  );
  const picking: Picking = useMemo(
    () => ({
      picked,
      tick: (memoryId, wanted) => setPicked((before) => before && withPicked(before, memoryId, wanted)),
      pick: setPicked,
      forgotten: (memories, operationId) =>
        memories.forEach(({ id: memoryId, importance }) =>
          mark(memoryId, { kind: "forgotten", operationId, undone: false, importance }),
        ),
      stop: () => setPicked(null),
    }),
    [picked, mark],
  );
  /** What was edited stands where it stood; what was added is at the top. */
  const saved = (memory: MemoryOut) => {
    if (edited === undefined) renew();
    else if (memory.id !== edited.id) mark(edited.id, { kind: "edited", memory, importance: edited.importance });
    if (edited !== undefined && id === edited.id) navigate(`/memories/${memory.id}${address}`, { replace: true });
  };

  return (
    <Screen
      name="memories"
      width={1080}
      actions={
        <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={add}>
          {t("add.open")}
        </Button>
      }
    >
      <MemoryParts here="memories" />
      <SearchBox
        value={typed}
        onChange={(words) => {
          setTyped(words);
          unpick();
        }}
      />
      <Shelf
        query={query}
        filters={filters}
        sort={sort}
        onShow={show}
        done={done}
        narrow={narrow}
        acts={acts}
        picking={picking}
        moment={moment}
        onRenew={renew}
        onAdd={add}
      />
      <OpenWhy id={id} acts={acts} onClose={close} covered={writing} />
      <OpenMemoryDialog opened={writing} memory={edited} onClose={stopWriting} onSaved={saved} />
    </Screen>
  );
}

const isForget = (what: Done, operationId: string): what is Extract<Done, { kind: "forgotten" }> =>
  what.kind === "forgotten" && what.operationId === operationId;
