import { NativeSelect, NumberInput, SimpleGrid, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { useAllConversations } from "@/shared/conversations";
import type { Asked } from "@/shared/preview";
import { useConversationName } from "@/shared/useConversationName";

const FEWEST_TOKENS = 500;
const MOST_TOKENS = 200_000;

/** Takes out what is not chosen: the server's defaults hold then. */
function chosen(asked: Asked): Asked {
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== "" && value !== undefined));
}

/** What decides about a context beside the question: conversation, project, task, budget, language. */
export function Choices({ choices, change }: { choices: Asked; change: (choices: Asked) => void }) {
  const { t } = useTranslation("sees");
  const nameOf = useConversationName();
  const { listed = [] } = useAllConversations();
  const choose = (more: Asked) => change(chosen({ ...choices, ...more }));
  const named = listed.map((one) => ({ value: one.id, label: nameOf(one) }));
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      <NativeSelect
        label={t("choices.conversation")}
        value={choices.conversation_id ?? ""}
        onChange={({ currentTarget }) => choose({ conversation_id: currentTarget.value })}
        data={[{ value: "", label: t("choices.noConversation") }, ...named]}
      />
      <TextInput
        label={t("choices.project")}
        placeholder={t("choices.noProject")}
        maxLength={100}
        value={choices.project_id ?? ""}
        onChange={({ currentTarget }) => choose({ project_id: currentTarget.value.trim() })}
      />
      <TextInput
        label={t("choices.task")}
        placeholder={t("choices.noTask")}
        maxLength={200}
        value={choices.task ?? ""}
        onChange={({ currentTarget }) => choose({ task: currentTarget.value })}
      />
      <NumberInput
        label={t("choices.budget")}
        placeholder={t("choices.usualBudget")}
        min={FEWEST_TOKENS}
        max={MOST_TOKENS}
        step={500}
        clampBehavior="blur"
        allowDecimal={false}
        value={choices.token_budget ?? ""}
        onChange={(value) => choose({ token_budget: typeof value === "number" ? value : undefined })}
      />
      <NativeSelect
        label={t("choices.language")}
        value={choices.language ?? ""}
        onChange={({ currentTarget: { value } }) =>
          choose({ language: value === "en" || value === "zh" ? value : undefined })
        }
        data={[
          { value: "", label: t("choices.questionsLanguage") },
          { value: "en", label: "English" },
          { value: "zh", label: "中文" },
        ]}
      />
    </SimpleGrid>
  );
}
