import { Button, Group, NativeSelect, Radio, Stack } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";

import { WhichConversation } from "./WhichConversation";
import { type Format, type PageLanguage, requestFor, type Wanted } from "./wanted";
import { exportMemory } from "@/client";
import { Failed } from "@/shared/Failed";
import { useOnceKey } from "@/shared/once";

interface Props {
  ref: RefObject<HTMLFormElement | null>;
  wanted: Wanted;
  onChange: (wanted: Wanted) => void;
  /** It is being packed, by that operation. */
  onAccepted: (operationId: string) => void;
}

const LANGUAGES = [
  { value: "en", label: "English" },
  { value: "zh", label: "中文" },
];

/** What is to be packed, and how. */
export function ExportForm({ ref, wanted, onChange, onAccepted }: Props) {
  const { t } = useTranslation("data");
  const queries = useQueryClient();
  const onceKey = useOnceKey();
  const change = (changed: Partial<Wanted>) => onChange({ ...wanted, ...changed });
  const request = requestFor(wanted);
  const pack = useMutation({
    mutationFn: async (key: string) => {
      if (request === undefined) throw new Error("no conversation is chosen");
      return (await exportMemory({ body: request, headers: { "Idempotency-Key": key }, throwOnError: true })).data;
    },
    onSuccess: ({ op_id }) => {
      onAccepted(op_id);
      return queries.invalidateQueries();
    },
  });

  return (
    <form
      ref={ref}
      aria-label={t("export.title")}
      onSubmit={(event) => {
        event.preventDefault();
        // Tried again it is the same export; after one that was accepted the same choice means a new one.
        if (request !== undefined) pack.mutate(onceKey([request, pack.data?.op_id]));
      }}
    >
      <Stack gap="lg" className="card" p="lg">
        <Radio.Group
          label={t("export.scope")}
          value={wanted.scope}
          onChange={(scope) => change({ scope: scope === "user" ? "user" : "conversation" })}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="user" label={t("export.scopes.user")} description={t("export.scopes.userMeans")} />
            <Radio value="conversation" label={t("export.scopes.conversation")} />
          </Stack>
        </Radio.Group>
        {wanted.scope === "conversation" && (
          <WhichConversation chosen={wanted.conversation} onChoose={(conversation) => change({ conversation })} />
        )}
        <Radio.Group
          label={t("export.format")}
          value={wanted.format}
          onChange={(format) => change({ format: format as Format })}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="zip" label={t("export.formats.zip")} description={t("export.formats.zipMeans")} />
            <Radio value="json" label={t("export.formats.json")} description={t("export.formats.jsonMeans")} />
            <Radio
              value="markdown"
              label={t("export.formats.markdown")}
              description={t("export.formats.markdownMeans")}
            />
          </Stack>
        </Radio.Group>
        {wanted.format !== "json" && (
          <NativeSelect
            label={t("export.language")}
            value={wanted.language}
            onChange={(event) => change({ language: event.currentTarget.value as PageLanguage })}
            data={LANGUAGES}
            w={280}
            maw="100%"
          />
        )}
        {pack.error !== null && <Failed error={pack.error} />}
        <Group>
          <Button type="submit" loading={pack.isPending} disabled={request === undefined}>
            {t("export.do")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
