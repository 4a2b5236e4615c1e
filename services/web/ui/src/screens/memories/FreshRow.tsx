import { Button, Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import type { Acts } from "./acts";
import classes from "./Inbox.module.css";
import type { MemoryOut } from "@/client";
import { Origin } from "@/shared/memories/Quote";
import { useMemoryWords } from "@/shared/memories/words";

interface Props {
  memory: MemoryOut;
  acts: Acts;
  onKeep: () => void;
}

/** Something learned lately, short, with what to do about it. */
export function FreshRow({ memory, acts, onKeep }: Props) {
  const { t } = useTranslation("memories");
  const words = useMemoryWords();
  const describedBy = `fresh-${memory.id}`;
  const [source] = memory.sources;
  return (
    <div className={`card ${classes.row ?? ""}`}>
      <div className={classes.said}>
        <Text id={describedBy} className="words">
          {memory.content}
        </Text>
        <Text size="xs" c="dimmed" mt={2}>
          {words.type(memory.content_type)}
          {source !== undefined && (
            <>
              {t("separator")}
              <Origin source={source} />
            </>
          )}
        </Text>
      </div>
      <Group gap={4} wrap="nowrap" className={classes.acts}>
        <Button size="compact-sm" variant="light" aria-describedby={describedBy} onClick={onKeep}>
          {t("act.keep")}
        </Button>
        {(["edit", "forget", "why"] as const).map((act) => (
          <Button
            key={act}
            size="compact-sm"
            variant="subtle"
            color="gray"
            fw={500}
            aria-describedby={describedBy}
            onClick={() => acts[act](memory)}
          >
            {t(`act.${act}`)}
          </Button>
        ))}
      </Group>
    </div>
  );
}
