import { NativeSelect, Stack, Switch, Textarea } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { faultsOf, type MemoryFields, WEIGHTS } from "./fields";
import { Where } from "./Where";
import { useMemoryWords, WRITABLE_TYPES } from "./words";

interface Props {
  fields: MemoryFields;
  onChange: (fields: MemoryFields) => void;
  /** Whether what is wrong is said already: not before somebody tried to save. */
  judged: boolean;
}

/** What a person says about a memory, in plain words. */
export function MemoryForm({ fields, onChange, judged }: Props) {
  const { t } = useTranslation("memories");
  const words = useMemoryWords();
  const change = (changed: Partial<MemoryFields>) => onChange({ ...fields, ...changed });
  const faults = judged ? faultsOf(fields) : {};
  const types = new Set<string>([...WRITABLE_TYPES, fields.content_type]);
  return (
    <Stack gap="md">
      <Textarea
        label={t("form.content")}
        description={t("form.contentHint")}
        value={fields.content}
        onChange={(event) => change({ content: event.currentTarget.value })}
        error={faults.content && t(`form.fault.content.${faults.content === "long" ? "long" : "empty"}`)}
        autosize
        minRows={2}
        maxRows={10}
        data-autofocus
      />
      <NativeSelect
        label={t("form.type")}
        value={fields.content_type}
        onChange={(event) => change({ content_type: event.currentTarget.value })}
        data={[...types].map((value) => ({ value, label: words.type(value) }))}
      />
      <Where place={fields} onChange={change} fault={faults.project} />
      <NativeSelect
        label={t("form.weight")}
        value={fields.weight}
        onChange={(event) => change({ weight: WEIGHTS.find((one) => one === event.currentTarget.value) ?? "normal" })}
        data={WEIGHTS.map((value) => ({ value, label: t(`form.weights.${value}`) }))}
      />
      <Switch
        label={t("form.taboo")}
        description={t("form.tabooHint")}
        checked={fields.taboo}
        onChange={(event) => change({ taboo: event.currentTarget.checked })}
      />
    </Stack>
  );
}
