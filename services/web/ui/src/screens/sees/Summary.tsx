import { Badge, Group, Progress, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import classes from "./sees.module.css";
import { trouble } from "./sections";
import type { ContextOut } from "@/client";
import { useNumbers } from "@/shared/numbers";

/** How the order came about, how much room it takes, and why there is less than there could be. */
export function Summary({ context }: { context: ContextOut }) {
  const { t } = useTranslation("sees");
  const number = useNumbers();
  const { used, budget } = context.tokens;
  const broken = trouble(context);
  const order = broken === undefined ? t(`mode.${context.mode}`) : t(`trouble.${broken}`);
  const parts = [...context.items, ...context.window].reduce((sum, { tokens }) => sum + tokens, 0);
  const wording = Math.max(0, used - parts);
  const less = context.diagnostics.reasons.filter((reason) => reason !== broken);
  return (
    <Stack gap="xs" role="status">
      <Group justify="space-between" gap="xs">
        <Badge
          variant={broken === undefined ? "light" : "outline"}
          color={broken === undefined ? undefined : "gray"}
          size="lg"
          tt="none"
          style={{ height: "auto", whiteSpace: "normal", paddingBlock: 4 }}
        >
          {order}
        </Badge>
        <Text size="sm" c="dimmed">
          {t("tokens", { used: number(used), budget: number(budget) })}
        </Text>
      </Group>
      <Progress
        value={Math.min(100, (used / budget) * 100)}
        size="sm"
        aria-label={t("tokens", { used: number(used), budget: number(budget) })}
      />
      <Text size="sm" c="dimmed">
        {t("wording", { count: wording, tokens: number(wording) })}
      </Text>
      {less.length > 0 && (
        <Text component="ul" size="sm" c="dimmed" className={classes.plain}>
          {less.map((reason) => (
            <li key={reason}>{t(`shortage.${reason}`)}</li>
          ))}
        </Text>
      )}
    </Stack>
  );
}
