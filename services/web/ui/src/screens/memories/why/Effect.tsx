import { List, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { Part } from "./Part";
import type { EffectOut, MemoryOut } from "@/client";

interface Props {
  memory: MemoryOut;
  effect: EffectOut;
  contradicted: boolean;
}

/** Whether an assistant would be given it now, and if not, why. */
export function Effect({ memory, effect, contradicted }: Props) {
  const { t } = useTranslation("memories");
  const project = effect.project_id;
  return (
    <Part title={t("why.effect")}>
      {effect.given_now ? (
        <Text size="sm">
          {project === null ? t("effect.everywhere") : t("effect.project", { project })}
          {memory.taboo && ` ${t("effect.taboo")}`}
        </Text>
      ) : (
        <>
          <Text size="sm">{t("effect.none")}</Text>
          <List size="sm" mt={4}>
            {effect.reasons.map((reason) => (
              <List.Item key={reason}>{t(`effect.reason.${reason}`)}</List.Item>
            ))}
          </List>
        </>
      )}
      {!effect.searchable && effect.given_now && (
        <Text size="sm" c="dimmed" mt={4}>
          {t("effect.notSearchable")}
        </Text>
      )}
      {contradicted && (
        <Text size="sm" c="dimmed" mt={4}>
          {t("effect.contradicted")}
        </Text>
      )}
    </Part>
  );
}
