import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { useFocusBack } from "@/shared/useFocusBack";

interface Props {
  going: { deleted: string; unused: string };
  onClose: () => void;
  onConfirm: () => void;
}

/** Says what is deleted with a consent, before it is withdrawn: that cannot be undone. */
export function ConfirmWithdrawal({ going: { deleted, unused }, onClose, onConfirm }: Props) {
  const { t } = useTranslation("consent");
  useFocusBack(true);
  return (
    <Modal
      opened
      onClose={onClose}
      returnFocus={false}
      title={t("confirm.title")}
      closeButtonProps={{ "aria-label": t("dialog.close") }}
    >
      <Stack gap="md">
        <div>
          <Text size="sm">{t("goes", { what: deleted })}</Text>
          {unused !== "" && <Text size="sm">{t("stops", { what: unused })}</Text>}
          <Text size="sm" mt="xs">
            {t("confirm.forGood")}
          </Text>
        </div>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t("confirm.keep")}
          </Button>
          <Button color="red.9" onClick={onConfirm}>
            {t("confirm.do")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
