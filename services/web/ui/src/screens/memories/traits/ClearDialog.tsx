import { Button, Group, List, Modal, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { useTraitWords } from "./words";
import type { TraitOut } from "@/client";

/** How many sentences are quoted before the rest is only counted. */
const QUOTES = 3;

interface Props {
  traits: readonly TraitOut[];
  isClearing: boolean;
  onClear: () => void;
  onClose: () => void;
}

/** What goes with everything that is inferred, and what stays. */
export function ClearDialog({ traits, isClearing, onClear, onClose }: Props) {
  const { t } = useTranslation("traits");
  const words = useTraitWords();
  const more = traits.length - QUOTES;
  return (
    <Modal
      opened
      onClose={() => {
        if (!isClearing) onClose();
      }}
      returnFocus={false}
      title={t("clear.title")}
      size="lg"
      padding="lg"
      closeButtonProps={{ "aria-label": t("common:close"), disabled: isClearing }}
    >
      <Stack gap="lg">
        <Stack gap="xs">
          <Title order={3}>{t("forgetting:goes")}</Title>
          <Text size="sm">
            {traits.length > 0 ? t("clear.goes", { count: traits.length }) : t("clear.goesObserved")}
          </Text>
          {traits.slice(0, QUOTES).map((trait) => (
            <blockquote key={trait.id} className="quote">
              <Text size="sm">{words.sentence(trait)}</Text>
            </blockquote>
          ))}
          {more > 0 && (
            <Text size="sm" c="dimmed">
              {t("forgetting:andMore", { count: more })}
            </Text>
          )}
        </Stack>
        <Stack gap="xs">
          <Title order={3}>{t("forgetting:staysTitle")}</Title>
          <List size="sm" spacing={4} withPadding={false}>
            <List.Item>{t("clear.stays.messages")}</List.Item>
            <List.Item>{t("clear.stays.refused")}</List.Item>
            <List.Item>{t("forgetting:stays.sent")}</List.Item>
          </List>
          <Text size="sm" c="dimmed">
            {t("clear.again")}
          </Text>
        </Stack>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isClearing} data-autofocus>
            {t("forgetting:keep")}
          </Button>
          <Button onClick={onClear} loading={isClearing}>
            {t("forgetting:forget")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
