import { Box, Group, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";

interface Props {
  /** The place's name in `common.places`. */
  name: string;
  /** What stands beside the title. */
  actions?: ReactNode;
  /** Widest width of the content; wide screens keep lines readable. */
  width?: number;
  children?: ReactNode;
}

/** A screen's title, the sentence that says what it is for, and its content. */
export function Screen({ name, actions, width = 920, children }: Props) {
  const { t } = useTranslation();
  const title = t(`places.${name}.long`);
  useEffect(() => {
    document.title = `${title} · ${t("product")}`;
  }, [title, t]);
  return (
    <Box maw={width} mx="auto">
      <Group justify="space-between" align="flex-start" mb="md" gap="sm">
        <div>
          <Title order={1} size="h2">
            {title}
          </Title>
          <Text c="dimmed" size="sm">
            {t(`places.${name}.about`)}
          </Text>
        </div>
        {actions}
      </Group>
      {children}
    </Box>
  );
}
