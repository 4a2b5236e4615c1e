import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { useMemoryChanged } from "./changed";
import { changesOf, EMPTY, faultsOf, fieldsOf, type MemoryFields, memoryOf } from "./fields";
import { MemoryForm } from "./MemoryForm";
import { RefusedSave } from "./RefusedSave";
import { versionOf } from "./useMemoryActions";
import { useWithheldWords } from "./withheld";
import { createLongTerm, type MemoryIn, type MemoryOut, type MemoryWrittenOut, updateLongTerm } from "@/client";
import { keepFocus, openerNow } from "@/shared/forgetting/focus";
import { useOnceKey } from "@/shared/once";
import { toast } from "@/shared/toast";
import { useArrived } from "@/shared/useArrived";

export interface MemoryDialogProps {
  opened: boolean;
  /** What is edited; absent: something new is written down. */
  memory?: MemoryOut | undefined;
  onClose: () => void;
  /** What holds now: an edit makes a new memory, with an id of its own. */
  onSaved?: (memory: MemoryOut) => void;
}

/** Write a memory by hand, or edit one. What opened it gets the focus back. */
export function MemoryDialog({ opened, memory, onClose, onSaved }: MemoryDialogProps) {
  const { t } = useTranslation("memories");
  const arrived = useArrived();
  const [saving, setSaving] = useState(false);
  const close = () => {
    if (!saving) onClose(); // what came of it is said here
  };
  const narrow = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false });
  return (
    <Modal
      opened={opened && arrived}
      closeOnClickOutside={false} // what was typed would be lost
      onClose={close}
      onExitTransitionEnd={() => keepFocus(openerNow())}
      title={memory === undefined ? t("add.title") : t("edit.title")}
      size="lg"
      fullScreen={narrow}
      closeButtonProps={{ "aria-label": t("close") }}
    >
      <Content memory={memory} onClose={onClose} onSaved={onSaved} onSaving={setSaving} />
    </Modal>
  );
}

interface ContentProps extends Omit<MemoryDialogProps, "opened"> {
  /** Told when saving begins and ends. */
  onSaving: (saving: boolean) => void;
}

/** Mounted while the dialog is open, so that every opening begins anew. */
function Content({ memory, onClose, onSaved, onSaving }: ContentProps) {
  const { t } = useTranslation("memories");
  const withheld = useWithheldWords();
  const changed = useMemoryChanged();
  const onceKey = useOnceKey();
  const [base, setBase] = useState(memory);
  const [fields, setFields] = useState<MemoryFields>(memory === undefined ? EMPTY : fieldsOf(memory));
  const [judged, setJudged] = useState(false);

  const save = useMutation({
    mutationFn: () => {
      onSaving(true);
      return base === undefined ? written(memoryOf(fields), onceKey) : edited(base, fields);
    },
    onSettled: () => {
      onSaving(false);
    },
    onSuccess: (answer) => {
      changed(answer);
      const said = memory === undefined ? t("add.done") : t("edit.done");
      const left = answer.withheld.length > 0 ? t("withheld.said", { kinds: withheld(answer.withheld) }) : "";
      toast({ message: [said, left].filter(Boolean).join(t("sentenceGap")) });
      onSaved?.(answer);
      onClose();
    },
  });

  const submit = () => {
    setJudged(true);
    if (Object.keys(faultsOf(fields)).length > 0) return;
    if (base !== undefined && Object.keys(changesOf(base, fields)).length === 0) onClose();
    else save.mutate();
  };

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap="md">
        <MemoryForm fields={fields} onChange={setFields} judged={judged} />
        <Text size="sm" c="dimmed">
          {memory === undefined ? t("add.about") : t("edit.about")}
        </Text>
        {save.isError && (
          <RefusedSave
            error={save.error}
            memory={base}
            onCurrent={(current) => {
              setBase(current);
              save.reset();
            }}
          />
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} disabled={save.isPending}>
            {t("cancel")}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {memory === undefined ? t("add.save") : t("edit.save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Sent again after a failure it is still one memory, as long as it says the same. */
async function written(body: MemoryIn, onceKey: (request: unknown) => string): Promise<MemoryWrittenOut> {
  const headers = { "Idempotency-Key": onceKey(body) };
  return (await createLongTerm({ body, headers, throwOnError: true })).data;
}

async function edited(memory: MemoryOut, fields: MemoryFields): Promise<MemoryWrittenOut> {
  const path = { memory_id: memory.id };
  const body = changesOf(memory, fields);
  return (await updateLongTerm({ path, body, headers: versionOf(memory), throwOnError: true })).data;
}
