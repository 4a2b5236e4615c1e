import { Alert, Button, Group, Text } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";

import { isProblem } from "./problems";
import { useProblemWords } from "./useProblemWords";

/** Says in plain words what did not work, and offers the next step. */
export function Failed({ error, again }: { error: unknown; again?: () => void }) {
  const { t } = useTranslation();
  const words = useProblemWords();
  return (
    <Alert color="gray" variant="outline" icon={<IconPlugConnectedX aria-hidden />} role="alert">
      <Text size="sm">{words(error)}</Text>
      <Group mt="xs" gap="sm">
        {again !== undefined && (
          <Button size="compact-sm" variant="default" onClick={again}>
            {t("tryAgain")}
          </Button>
        )}
        {isProblem(error) && error.request_id !== undefined && (
          <Text size="xs" c="dimmed">
            {t("reference", { id: error.request_id })}
          </Text>
        )}
      </Group>
    </Alert>
  );
}
