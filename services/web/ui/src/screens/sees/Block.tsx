import { Anchor, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";

import { Disclosure } from "./Disclosure";
import { Nearness } from "./Nearness";
import classes from "./sees.module.css";
import type { Part } from "./sections";
import type { GivenOut } from "@/client";
import { useMemoryWords } from "@/shared/memories/words";
import { useNumbers } from "@/shared/numbers";
import { When } from "@/shared/When";

const SPEAKERS = {
  user: "speaker.user",
  assistant: "speaker.assistant",
  tool: "speaker.tool",
  system: "speaker.system",
} as const;
const TRAITS = { behavior: "trait.behavior", preference: "trait.preference", core: "trait.core" } as const;
const PLACES = { memory: "/memories", trait: "/memories/traits" } as const;
const speakerKey = (role: string) => SPEAKERS[role as keyof typeof SPEAKERS] ?? SPEAKERS.tool;
const traitKey = (subtype: string) => TRAITS[subtype as keyof typeof TRAITS] ?? TRAITS.behavior;

/** One part of what is handed over: its words, why it is here, and where it can be looked at. */
export function Block({ item, part }: { item: GivenOut; part: Part }) {
  const { t } = useTranslation("sees");
  const { t: traits } = useTranslation("traits");
  const number = useNumbers();
  const words = useMemoryWords();
  const said = item.kind === "message";
  return (
    <li className={classes.block} data-part={part}>
      {said && (
        <Text size="xs" fw={620} c="dimmed">
          {item.name ?? t(speakerKey(item.type))}
        </Text>
      )}
      <p className={`words ${classes.content}`}>{item.content}</p>
      {!said && <Text size="sm">{t(`why.${item.reason_code}`)}</Text>}
      <div className={classes.foot}>
        {item.kind === "memory" && <span>{words.type(item.type)}</span>}
        {item.kind === "memory" && <span>{words.scope(item)}</span>}
        {item.kind === "trait" && <span>{t(traitKey(item.type))}</span>}
        {item.stage !== null && <span>{traits(`stage.${item.stage}`)}</span>}
        {item.kind === "episode" && <span>{t("moment")}</span>}
        <span>
          <When at={item.provenance.at} />
        </span>
        {item.task_hint !== null && <span>{t("task", { task: item.task_hint })}</span>}
        <span>{t("tokensAlone", { count: item.tokens, tokens: number(item.tokens) })}</span>
        {(item.kind === "memory" || item.kind === "trait") && (
          <Anchor
            component={Link}
            href={`${PLACES[item.kind]}/${item.id}`}
            size="sm"
            aria-label={t("openNamed", { content: item.content })}
          >
            {t("open")}
          </Anchor>
        )}
        {item.kind === "episode" && item.provenance.session_id !== null && (
          <Anchor component={Link} href={`/conversation/${item.provenance.session_id}`} size="sm">
            {t("openConversation")}
          </Anchor>
        )}
      </div>
      {item.score !== null && (
        <Disclosure label={t("nearness.label")}>
          <Nearness score={item.score} />
        </Disclosure>
      )}
    </li>
  );
}
