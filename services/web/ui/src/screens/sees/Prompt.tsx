import { Group, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { Block } from "./Block";
import classes from "./sees.module.css";
import { sectionsOf } from "./sections";
import type { ContextOut } from "@/client";
import { useNumbers } from "@/shared/numbers";

const HASH_SHOWN = 12;

/** What is handed over, in its order; the part that no question changes is marked with its fingerprint. */
export function Prompt({ context }: { context: ContextOut }) {
  const { t } = useTranslation("sees");
  const number = useNumbers();
  const sections = sectionsOf(context);
  if (sections.length === 0) {
    return (
      <Text className="card" p="lg" c="dimmed">
        {t("nothing")}
      </Text>
    );
  }
  return (
    <>
      {sections.map(({ part, items }, place) => (
        <Stack key={place} component="section" gap="xs" aria-labelledby={`part-${place}`} className={classes.part}>
          <Group justify="space-between" gap="xs" align="baseline">
            <Title order={2} id={`part-${place}`}>
              {t(`part.${part}.name`)}
            </Title>
            <Text size="xs" c="dimmed">
              {t("tokensAlone", {
                count: items.reduce((sum, { tokens }) => sum + tokens, 0),
                tokens: number(items.reduce((sum, { tokens }) => sum + tokens, 0)),
              })}
            </Text>
          </Group>
          <Text size="sm" c="dimmed">
            {t(`part.${part}.about`)}
          </Text>
          <ol className={classes.blocks}>
            {items.map((item) => (
              <Block key={item.id} item={item} part={part} />
            ))}
          </ol>
          {part === "stable" && (
            <Text size="xs" c="dimmed" className={classes.fingerprint} title={context.stable_prefix_hash}>
              {t("fingerprint")} <code>{context.stable_prefix_hash.slice(0, HASH_SHOWN)}</code>
            </Text>
          )}
        </Stack>
      ))}
    </>
  );
}
