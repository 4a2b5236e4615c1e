import { Button, Text, Title } from "@mantine/core";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";

import { ClearDialog } from "./ClearDialog";
import { useClearTraits } from "./useForgetTraits";
import type { TraitOut } from "@/client";
import { useFocusBack } from "@/shared/useFocusBack";

interface Props {
  traits: readonly TraitOut[];
  onCleared: (operationId: string) => void;
}

/** Makes everything go that is inferred; it can be undone for a moment. */
export function ClearTraits({ traits, onCleared }: Props) {
  const { t } = useTranslation("traits");
  const [asking, setAsking] = useState(false);
  const clear = useClearTraits(onCleared);
  const id = useId();
  useFocusBack(asking);
  const close = () => setAsking(false);
  return (
    <section aria-labelledby={id}>
      <Title order={2} size="h3" id={id}>
        {t("clear.title")}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t("clear.about")}
      </Text>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t("clear.open")}
      </Button>
      {asking && (
        <ClearDialog
          traits={traits}
          isClearing={clear.isPending}
          onClear={() => clear.mutate(undefined, { onSettled: close })}
          onClose={close}
        />
      )}
    </section>
  );
}
