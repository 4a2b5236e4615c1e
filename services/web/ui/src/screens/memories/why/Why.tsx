import { Drawer, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";

import { Details } from "./Details";
import { Effect } from "./Effect";
import { Evidence } from "./Evidence";
import { History } from "./History";
import { Wordings } from "./Wordings";
import type { Acts } from "../acts";
import { CardActions } from "../CardActions";
import { getExplanationOptions } from "@/client/@tanstack/react-query.gen";
import { Failed } from "@/shared/Failed";
import { keepFocus, openerNow } from "@/shared/forgetting/focus";
import { useMemoryWords } from "@/shared/memories/words";
import { codeOf } from "@/shared/problems";
import { useArrived } from "@/shared/useArrived";
import { Waiting } from "@/shared/Waiting";

interface Props {
  /** The memory that is explained; undefined: the drawer is closed. */
  id: string | undefined;
  acts: Acts;
  onClose: () => void;
  /** A dialog is open over it, which Escape closes first. */
  covered: boolean;
}

/** Why something is remembered: what was said, how it was learned, where it takes effect, what happened to it. */
export function Why({ id, acts, onClose, covered }: Props) {
  const { t } = useTranslation("memories");
  const arrived = useArrived();
  const [shown, setShown] = useState(id);
  if (id !== undefined && id !== shown) setShown(id);
  return (
    <Drawer
      opened={id !== undefined && arrived}
      onClose={onClose}
      closeOnEscape={!covered}
      onExitTransitionEnd={() => keepFocus(openerNow())}
      title={t("why.title")}
      position="right"
      size="lg"
      closeButtonProps={{ "aria-label": t("close") }}
    >
      {shown !== undefined && <Explained id={shown} acts={acts} onClose={onClose} />}
    </Drawer>
  );
}

function Explained({ id, acts, onClose }: Omit<Props, "covered"> & { id: string }) {
  const { t } = useTranslation("memories");
  const words = useMemoryWords();
  const sentence = useId();
  const { data, error, refetch } = useQuery(getExplanationOptions({ path: { memory_id: id } }));
  if (error !== null && data === undefined) {
    if (codeOf(error) === "not_found") return <Text role="status">{t("why.gone")}</Text>;
    return <Failed error={error} again={() => void refetch()} />;
  }
  if (data === undefined) return <Waiting />;
  const { memory } = data;
  const here: Acts = {
    ...acts,
    forget: (forgotten) => {
      onClose();
      acts.forget(forgotten);
    },
  };
  return (
    <Stack gap="xl">
      <div>
        <Text id={sentence} fz="lg" className="words">
          {memory.content}
        </Text>
        <Text size="sm" c="dimmed" mt={4}>
          {words.line(memory)}
        </Text>
        <CardActions memory={memory} acts={here} narrow={false} asksWhy={false} describedBy={sentence} />
      </div>
      <Evidence memory={memory} />
      <Effect memory={memory} effect={data.effect} contradicted={data.contradicted_by.length > 0} />
      <Wordings explanation={data} />
      <History id={id} />
      <Details memory={memory} effect={data.effect} />
    </Stack>
  );
}
