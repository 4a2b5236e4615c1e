import { Alert, Button, Group, Text, Title } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";

import type { BrokenProps } from "./Boundary";
import { hasUnsent } from "./kept";
import { NotFetched } from "./parts";
import { askServer } from "./server";

const LOOK_MILLISECONDS = 1000;

/** In place of a screen that failed: what happened, what did not, and the way on. */
export function Broken({ error, again }: BrokenProps) {
  const { t } = useTranslation();
  return (
    <>
      <Title order={1} size="h2" mb="md">
        {t("broken.title")}
      </Title>
      {error instanceof NotFetched ? <Unfetched again={again} /> : <Faulty again={again} />}
    </>
  );
}

/**
 * The screen's file could not be had. Comes back by itself: with the screen when the server answers again, with a fresh
 * page when the server has another version by now, unless something typed would be lost.
 */
function Unfetched({ again }: Pick<BrokenProps, "again">) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [newer, setNewer] = useState(false);
  useEffect(() => {
    let looking = true;
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      const server = await askServer();
      if (!looking) return;
      if (server === "same") again();
      else if (server === "away") timer = setTimeout(() => void look(), LOOK_MILLISECONDS);
      else if (hasUnsent(queries)) setNewer(true);
      else location.reload();
    };
    timer = setTimeout(() => void look(), LOOK_MILLISECONDS);
    return () => {
      looking = false;
      clearTimeout(timer);
    };
  }, [again, queries]);
  return newer ? (
    <Said words={t("broken.newer")} action={t("broken.load")} onAction={() => location.reload()} />
  ) : (
    <Said words={t("broken.unfetched")} action={t("tryAgain")} onAction={again} />
  );
}

function Faulty({ again }: Pick<BrokenProps, "again">) {
  const { t } = useTranslation();
  return <Said words={t("broken.faulty")} action={t("tryAgain")} onAction={again} />;
}

function Said({ words, action, onAction }: { words: string; action: string; onAction: () => void }) {
  return (
    <Alert color="gray" variant="outline" icon={<IconPlugConnectedX aria-hidden />} role="alert">
      <Text size="sm">{words}</Text>
      <Group mt="xs">
        <Button size="compact-sm" variant="default" onClick={onAction}>
          {action}
        </Button>
      </Group>
    </Alert>
  );
}
