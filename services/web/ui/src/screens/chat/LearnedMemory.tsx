import { Anchor, Button, Group, Text } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";

import classes from "./chat.module.css";
import { useCurrent } from "./learned";
import type { MemoryOut } from "@/client";
import { keepFocus, openerNow } from "@/shared/forgetting/focus";
import { useForgetSmall } from "@/shared/forgetting/useForgetSmall";
import { OpenMemoryDialog } from "@/shared/memories/OpenMemoryDialog";
import { useMemoryActions } from "@/shared/memories/useMemoryActions";
import { useMemoryWords } from "@/shared/memories/words";

/** One thing this message taught, and what its person wants done with it; struck through when it was replaced since. */
export function LearnedMemory({ memory }: { memory: MemoryOut }) {
  const { t } = useTranslation("chat");
  const words = useMemoryWords();
  const sentence = useId();
  const replaced = memory.validity === "superseded";
  // Kept here, not with what can be done: the memory may be replaced while it is edited.
  const [editing, setEditing] = useState(false);
  return (
    <div className={`card ${classes.chip ?? ""}`}>
      <Text
        size="sm"
        className="words"
        id={sentence}
        c={replaced ? "dimmed" : undefined}
        td={replaced ? "line-through" : undefined}
      >
        {memory.content}
      </Text>
      {replaced ? (
        <Replacement memory={memory} />
      ) : (
        <Text size="xs" c="dimmed">
          {words.type(memory.content_type)} · {words.standing(memory) ?? words.scope(memory)}
        </Text>
      )}
      <Group gap={4} mt={4}>
        {!replaced && <Actions memory={memory} sentence={sentence} onEdit={() => setEditing(true)} />}
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
      <OpenMemoryDialog opened={editing} memory={memory} onClose={() => setEditing(false)} />
    </div>
  );
}

/** What took the place of a memory, as it is now. */
function Replacement({ memory }: { memory: MemoryOut }) {
  const { t } = useTranslation("chat");
  const current = useCurrent(memory);
  if (current == null) {
    return (
      <Text size="xs" c="dimmed">
        {current === null ? t("learned.replacedGone") : t("learned.replaced")}
      </Text>
    );
  }
  return (
    <Text size="sm" mt={2} className="words">
      {t("learned.replacedBy")}{" "}
      <Anchor component={Link} href={`/memories/${current.id}`} underline="always" inherit>
        {t("learned.quoted", { words: current.content })}
      </Anchor>
    </Text>
  );
}

/** Keep, edit, forget; `sentence` is the id of what they act on. */
function Actions({ memory, sentence, onEdit }: { memory: MemoryOut; sentence: string; onEdit: () => void }) {
  const { t } = useTranslation("chat");
  const { confirm } = useMemoryActions();
  const forget = useForgetSmall();
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
          onClick={() => {
            keepFocus(openerNow());
            confirm.mutate({ memory_id: memory.id });
          }}
        >
          {t("learned.keep")}
        </Button>
      )}
      <Button {...quiet} onClick={onEdit}>
        {t("learned.edit")}
      </Button>
      <Button {...quiet} onClick={() => forget.mutate(memory.id)}>
        {t("learned.forget")}
      </Button>
    </>
  );
}
