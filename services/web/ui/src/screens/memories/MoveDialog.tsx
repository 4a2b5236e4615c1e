import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import type { SeveralChange } from "./useChangeSeveral";
import { faultOfProject } from "@/shared/memories/fields";
import { Where } from "@/shared/memories/Where";

interface Props {
  count: number;
  isMoving: boolean;
  onMove: (change: SeveralChange) => void;
  onClose: () => void;
}

/** Where the picked memories are to hold from now on. */
export function MoveDialog({ count, isMoving, onMove, onClose }: Props) {
  const { t } = useTranslation("memories");
  const [place, setPlace] = useState({ inProject: true, project: "" });
  const [judged, setJudged] = useState(false);
  const fault = faultOfProject(place);
  const close = () => {
    if (!isMoving) onClose();
  };
  return (
    <Modal
      opened
      onClose={close}
      returnFocus={false}
      title={t("pick.moveTitle", { count })}
      closeButtonProps={{ "aria-label": t("close"), disabled: isMoving }}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setJudged(true);
          if (fault !== undefined) return;
          onMove(
            place.inProject
              ? { act: "move", scope: "project", project_id: place.project }
              : { act: "move", scope: "global" },
          );
        }}
      >
        <Stack>
          <Where
            place={place}
            onChange={(changed) => setPlace({ ...place, ...changed })}
            fault={judged ? fault : undefined}
          />
          <Text size="sm" c="dimmed">
            {t("pick.moveMeans")}
          </Text>
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close} disabled={isMoving}>
              {t("cancel")}
            </Button>
            <Button type="submit" loading={isMoving}>
              {t("pick.move")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
