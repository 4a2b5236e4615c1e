import { Button, Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** A few sentences that work, to begin with. */
export function Examples({ onPick }: { onPick: (example: string) => void }) {
  const { t } = useTranslation("data");
  const examples = [t("examples.person"), t("examples.topic"), t("examples.time")];
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        {t("examples.title")}
      </Text>
      <Group gap="xs">
        {examples.map((example) => (
          <Button key={example} size="xs" variant="default" fw={400} onClick={() => onPick(example)}>
            {example}
          </Button>
        ))}
      </Group>
    </>
  );
}
