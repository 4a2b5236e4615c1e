import { Anchor, CloseButton, Group, Text, VisuallyHidden } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";

import classes from "./TraitsNotice.module.css";
import { listTraitsOptions } from "@/client/@tanstack/react-query.gen";

const PLACE = "/memories/traits";

/** Says once, on each device, that something has been inferred about a person, until they look at it or close this. */
export function TraitsNotice({ person }: { person: string }) {
  const { t } = useTranslation("traits");
  const [location] = useLocation();
  const [told, setTold] = useLocalStorage({
    key: `traits-told ${person}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const { data } = useQuery({ ...listTraitsOptions({ query: { limit: 1 } }), enabled: !told });
  const news = !told && data !== undefined && data.length > 0;
  const looks = location === PLACE || location.startsWith(`${PLACE}/`);
  useEffect(() => {
    if (news && looks) setTold(true);
  }, [news, looks, setTold]);
  const shown = news && !looks;
  return (
    <>
      {/* Always there, so that what comes into it is read aloud. */}
      <VisuallyHidden role="status">{shown && t("notice.formed")}</VisuallyHidden>
      {shown && (
        <section className={classes.notice} aria-label={t("title")}>
          <Text size="sm">{t("notice.formed")}</Text>
          <Group gap="xs" wrap="nowrap" className={classes.ways}>
            <Anchor component={Link} href={PLACE} size="sm" underline="always">
              {t("notice.look")}
            </Anchor>
            <CloseButton aria-label={t("notice.close")} onClick={() => setTold(true)} />
          </Group>
        </section>
      )}
    </>
  );
}
