import { Button, Group, NativeSelect, Radio, Stack } from "@mantine/core";
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";

import { WhichConversation } from "./WhichConversation";
import { type Format, type PageLanguage, requestFor, type Wanted } from "./wanted";
import type { ExportIn } from "@/client";

interface Props {
  ref: RefObject<HTMLFormElement | null>;
  wanted: Wanted;
  onChange: (wanted: Wanted) => void;
  /** This is to be packed, once it is confirmed. */
  onAsk: (request: ExportIn) => void;
}

const LANGUAGES = [
  { value: "en", label: "English" },
  { value: "zh", label: "中文" },
];

/** What is to be packed, and how. */
export function ExportForm({ ref, wanted, onChange, onAsk }: Props) {
  const { t } = useTranslation("data");
  const change = (changed: Partial<Wanted>) => onChange({ ...wanted, ...changed });
  const request = requestFor(wanted);

  return (
    <form
      ref={ref}
      aria-label={t("export.title")}
      onSubmit={(event) => {
        event.preventDefault();
        if (request !== undefined) onAsk(request);
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
        <Group>
          <Button type="submit" disabled={request === undefined}>
            {t("export.do")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
