import { Checkbox, Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import classes from "./Candidate.module.css";
import { piecesOf } from "./fragments";
import { reasonWords } from "./reasons";
import type { CandidateOut } from "@/client";
import { When } from "@/shared/When";

interface Props {
  candidate: CandidateOut;
  ticked: boolean;
  onTick: (wanted: boolean) => void;
}

/** One thing a sentence may mean: its words, with what would go marked, and why it was found. */
export function Candidate({ candidate, ticked, onTick }: Props) {
  const { t } = useTranslation("data");
  const { id, kind, role, content, parts, reasons, said_at } = candidate;
  const what = kind === "memory" ? t("found.memory") : role === "user" ? t("found.youSaid") : t("found.assistantSaid");
  const label = `words-${id}`;
  return (
    <Group className="card" p="md" gap="md" align="flex-start" wrap="nowrap">
      <Checkbox
        checked={ticked}
        onChange={(event) => onTick(event.currentTarget.checked)}
        aria-labelledby={label}
        mt={2}
      />
      <div className={classes.words}>
        <Text id={label} lineClamp={8} data-left={!ticked || undefined} className={classes.text}>
          {piecesOf(content, parts).map(({ text, goes }, place) =>
            goes && parts !== null ? <mark key={place}>{text}</mark> : <span key={place}>{text}</span>,
          )}
        </Text>
        <Text size="sm" c="dimmed" mt={4}>
          {what} · <When at={said_at} /> · {reasons.map(({ code }) => reasonWords(t, code)).join(" · ")}
          {parts !== null && ` · ${t("found.onlyMarked")}`}
        </Text>
      </div>
    </Group>
  );
}
