import { Drawer, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";

import type { TraitActs } from "../acts";
import { TraitActions } from "../TraitActions";
import { TraitLine } from "../TraitCard";
import { useTraitWords } from "../words";
import { detailsOf } from "./details";
import { Grew } from "./Grew";
import { Pieces } from "./Pieces";
import { Related } from "./Related";
import { getTraitExplanationOptions } from "@/client/@tanstack/react-query.gen";
import { Failed } from "@/shared/Failed";
import { keepFocus, openerNow } from "@/shared/forgetting/focus";
import { codeOf } from "@/shared/problems";
import { TechnicalDetails } from "@/shared/TechnicalDetails";
import { useArrived } from "@/shared/useArrived";
import { Waiting } from "@/shared/Waiting";

interface Props {
  /** The trait that is explained; undefined: the drawer is closed. */
  id: string | undefined;
  acts: TraitActs;
  onClose: () => void;
  /** A dialog is open over it, which Escape closes first. */
  covered: boolean;
}

/** Why something is inferred: what was said for it and against it, what it rests on, and how it grew. */
export function WhyTrait({ id, acts, onClose, covered }: Props) {
  const { t } = useTranslation("traits");
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
      closeButtonProps={{ "aria-label": t("common:close") }}
    >
      {shown !== undefined && <Explained id={shown} acts={acts} onClose={onClose} />}
    </Drawer>
  );
}

function Explained({ id, acts, onClose }: Omit<Props, "covered"> & { id: string }) {
  const { t } = useTranslation("traits");
  const words = useTraitWords();
  const sentence = useId();
  const { data, error, refetch } = useQuery(getTraitExplanationOptions({ path: { trait_id: id } }));
  if (error !== null && data === undefined) {
    if (codeOf(error) === "not_found") return <Text role="status">{t("why.gone")}</Text>;
    return <Failed error={error} again={() => void refetch()} />;
  }
  if (data === undefined) return <Waiting />;
  const { trait, evidence } = data;
  const here: TraitActs = {
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
          {words.sentence(trait)}
        </Text>
        <TraitLine trait={trait} />
        {trait.emotion !== null && <Text c="dimmed">{t("why.felt", { feeling: trait.emotion.label })}</Text>}
        <TraitActions trait={trait} acts={here} asksWhy={false} describedBy={sentence} />
      </div>
      <Related title={t("why.restsOn")} traits={data.children} />
      <Pieces title={t("why.for")} pieces={evidence.filter(({ side }) => side === "supporting")} />
      <Pieces title={t("why.against")} pieces={evidence.filter(({ side }) => side === "contradicting")} />
      <Related title={t("why.above")} traits={data.parents} />
      <Grew id={id} />
      <TechnicalDetails rows={detailsOf(trait)} />
    </Stack>
  );
}
