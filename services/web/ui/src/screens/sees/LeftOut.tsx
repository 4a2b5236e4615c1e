import { Button, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { Disclosure } from "./Disclosure";
import { LeftOutItem } from "./LeftOutItem";
import classes from "./sees.module.css";
import { leftOutByReason } from "./sections";
import type { LeftOutOut } from "@/client";
import { useNumbers } from "@/shared/numbers";

const SHOWN_AT_ONCE = 10;
const KINDS = ["episode", "summary", "message"] as const;

/** What its person can see and the assistant is not given, by reason. */
export function LeftOut({ leftOut }: { leftOut: readonly LeftOutOut[] }) {
  const { t } = useTranslation("sees");
  const number = useNumbers();
  return (
    <Stack component="section" gap="xs" aria-labelledby="left-out">
      <Title order={2} id="left-out">
        {t("leftOut.name")}
      </Title>
      {leftOut.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t("leftOut.nothing")}
        </Text>
      ) : (
        leftOutByReason(leftOut).map(([reason, ones]) => (
          <div key={reason} className={classes.block} data-part="out">
            <Disclosure label={t(`leftOut.why.${reason}`, { number: number(ones.length) })}>
              <Rows ones={ones} />
            </Disclosure>
          </div>
        ))
      )}
    </Stack>
  );
}

/** Memories and impressions in their own words; of everything else, which has no page of its own, how many. */
function Rows({ ones }: { ones: readonly LeftOutOut[] }) {
  const { t } = useTranslation("sees");
  const [shown, setShown] = useState(SHOWN_AT_ONCE);
  const legible = ones.filter(({ kind }) => kind === "memory" || kind === "trait");
  return (
    <>
      <ul className={classes.rows}>
        {legible.slice(0, shown).map((one) => (
          <LeftOutItem key={one.id} one={one} />
        ))}
        {KINDS.map((kind) => {
          const count = ones.filter((one) => one.kind === kind).length;
          return count > 0 && <li key={kind}>{t(`leftOut.kind.${kind}`, { count })}</li>;
        })}
      </ul>
      {legible.length > shown && (
        <Button variant="default" size="compact-sm" mt="xs" onClick={() => setShown(shown + SHOWN_AT_ONCE)}>
          {t("leftOut.more")}
        </Button>
      )}
    </>
  );
}
