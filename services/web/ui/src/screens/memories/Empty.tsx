import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";

interface Props {
  filtered: boolean;
  onUnfiltered: () => void;
  onAdd: () => void;
}

/** Nothing to show, and what to do about it. */
export function Empty({ filtered, onUnfiltered, onAdd }: Props) {
  const { t } = useTranslation("memories");
  return (
    <Stack align="center" gap="sm" py={48} px="md" ta="center">
      <Text>{filtered ? t("empty.filtered") : t("empty.nothing")}</Text>
      {filtered ? (
        <Button variant="default" onClick={onUnfiltered}>
          {t("facet.clear")}
        </Button>
      ) : (
        <Group justify="center">
          <Anchor component={Link} href="/chat" underline="always">
            {t("empty.talk")}
          </Anchor>
          <Button variant="default" onClick={onAdd}>
            {t("empty.add")}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
