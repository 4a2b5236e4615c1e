import { Button, Group, Text, VisuallyHidden } from "@mantine/core";
import { IconArrowUp } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";

import { Forgotten } from "../Forgotten";
import { ClearTraits } from "./ClearTraits";
import { Nothing } from "./Nothing";
import { Off } from "./Off";
import { Reflect } from "./Reflect";
import { Refused } from "./Refused";
import { Shelves } from "./Shelves";
import type { Standing } from "./TraitList";
import { traitsOptions } from "./traits";
import classes from "./traits.module.css";
import { usePlaces } from "./usePlaces";
import { whyOff } from "./words";
import { getSettingsOptions, listRefusedTraitsOptions } from "@/client/@tanstack/react-query.gen";
import { Failed } from "@/shared/Failed";
import { Waiting } from "@/shared/Waiting";

/** What is inferred, shelf by shelf; below it what was refused, and the way to make all of it go. */
export function Portrait({ gone, acts }: Omit<Standing, "traits">) {
  const { t } = useTranslation("traits");
  const { data, error, refetch } = useQuery(traitsOptions());
  const refused = useQuery(listRefusedTraitsOptions());
  const settings = useQuery(getSettingsOptions());
  const { places, newer, renew } = usePlaces(data);
  const [cleared, setCleared] = useState<string>();
  const traits = useMemo(() => new Map(data?.map((trait) => [trait.id, trait])), [data]);
  if (error !== null && data === undefined) return <Failed error={error} again={() => void refetch()} />;
  // All of it at once: what comes later would push down what is there.
  if (data === undefined || places === undefined || refused.isPending || settings.isPending) {
    return <Waiting lines={4} />;
  }
  const off = settings.data && whyOff(settings.data);
  const nothing = traits.size === 0 && gone.size === 0;
  return (
    <>
      <Group justify="space-between" gap="sm" mb="lg">
        <VisuallyHidden component="h2">{t("title")}</VisuallyHidden>
        <Text size="sm" c="dimmed">
          {t("about")}
        </Text>
        {off === undefined && <Reflect />}
      </Group>
      {off !== undefined && <Off why={off} />}
      <div className={classes.newer} role="status">
        {newer > 0 && (
          <Button
            size="compact-md"
            radius="xl"
            leftSection={<IconArrowUp size={16} aria-hidden />}
            onClick={() => {
              setCleared(undefined);
              renew();
            }}
          >
            {t("newer", { count: newer })}
          </Button>
        )}
      </div>
      {cleared !== undefined ? (
        <div className={classes.shelf}>
          <Forgotten operationId={cleared} onUndone={() => setCleared(undefined)} />
        </div>
      ) : nothing ? (
        off === undefined && <Nothing />
      ) : (
        <Shelves places={places} traits={traits} gone={gone} acts={acts} />
      )}
      <div className={classes.foot}>
        <Refused refused={refused.data ?? []} />
        {cleared === undefined && <ClearTraits traits={data} onCleared={setCleared} />}
      </div>
    </>
  );
}
