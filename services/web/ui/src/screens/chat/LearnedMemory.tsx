import { Button, Group, Text } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { lazy, Suspense, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";

import classes from "./chat.module.css";
import { useCurrent } from "./learned";
import type { MemoryOut } from "@/client";
import { useForgetSmall } from "@/shared/forgetting/useForgetSmall";
import { useMemoryActions } from "@/shared/memories/useMemoryActions";
import { useMemoryWords } from "@/shared/memories/words";
import { useFocusBack } from "@/shared/useFocusBack";

const EditMemory = lazy(async () => ({ default: (await import("@/shared/memories/MemoryDialog")).MemoryDialog }));

/** One thing that was learned as it holds now, and what its person wants done with it. */
export default function LearnedMemory({ memory: learned }: { memory: MemoryOut }) {
  const { t } = useTranslation("chat");
  const words = useMemoryWords();
  const sentence = useId();
  const current = useCurrent(learned);
  const memory = current ?? learned;
  return (
    <div className={`card ${classes.chip ?? ""}`}>
      <Text size="sm" className="words" id={sentence}>
        {memory.content}
      </Text>
      <Text size="xs" c="dimmed">
        {words.type(memory.content_type)} · {words.standing(memory) ?? words.scope(memory)}
      </Text>
      <Group gap={4} mt={4}>
        {current !== null && <Actions memory={memory} sentence={sentence} />}
        <Button
          size="compact-sm"
          variant="subtle"
          fw={500}
          component={Link}
          href={`/memories/${memory.id}`}
          aria-describedby={sentence}
        >
          {t("learned.why")}
        </Button>
      </Group>
    </div>
  );
}

/** Keep, edit, forget; `sentence` is the id of what they act on. */
function Actions({ memory, sentence }: { memory: MemoryOut; sentence: string }) {
  const { t } = useTranslation("chat");
  const { confirm } = useMemoryActions();
  const forget = useForgetSmall();
  const [editing, setEditing] = useState(false);
  useFocusBack(editing);
  const busy = confirm.isPending || forget.isPending;
  const quiet = { size: "compact-sm", variant: "subtle", fw: 500, disabled: busy, "aria-describedby": sentence };
  return (
    <>
      {memory.confirmed ? (
        <Text size="xs" c="dimmed" className={classes.kept}>
          <IconCheck size={14} aria-hidden /> {t("learned.kept")}
        </Text>
      ) : (
        <Button
          size="compact-sm"
          variant="light"
          disabled={busy}
          aria-describedby={sentence}
          onClick={() => confirm.mutate({ memory_id: memory.id })}
        >
          {t("learned.keep")}
        </Button>
      )}
      <Button {...quiet} onClick={() => setEditing(true)}>
        {t("learned.edit")}
      </Button>
      <Button {...quiet} onClick={() => forget.mutate(memory.id)}>
        {t("learned.forget")}
      </Button>
      {editing && (
        <Suspense fallback={null}>
          <EditMemory opened memory={memory} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </>
  );
}
