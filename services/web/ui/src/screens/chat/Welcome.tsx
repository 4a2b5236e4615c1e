import { Stack, Text, UnstyledButton } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import classes from "./chat.module.css";
import { Samples } from "./Samples";
import { conversationsOptions } from "@/shared/conversations";

const STARTERS = ["first", "second", "third"] as const;

/**
 * Nothing was said yet: three sentences to begin with, and examples for who has nothing at all.
 *
 * A sentence is put where one types, to be changed or sent: what it says need not be true of this person.
 */
export function Welcome({ onChoose }: { onChoose: (words: string) => void }) {
  const { t } = useTranslation("chat");
  const choose = (words: string) => {
    onChoose(words);
    document.querySelector<HTMLTextAreaElement>(`.${classes.dock ?? ""} textarea`)?.focus();
  };
  const { data } = useInfiniteQuery(conversationsOptions);
  const fresh = data?.pages.every(({ items }) => items.length === 0);
  return (
    <Stack className={classes.welcome} gap="lg">
      <div>
        <h2 className={classes.welcomeTitle}>{t("welcome.title")}</h2>
        <Text c="dimmed">{t("welcome.about")}</Text>
      </div>
      <ul className={classes.starters} aria-label={t("welcome.starters")}>
        {STARTERS.map((name) => (
          <li key={name}>
            <UnstyledButton className={`card ${classes.starter ?? ""}`} onClick={() => choose(t(`starter.${name}`))}>
              {t(`starter.${name}`)}
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {fresh === true && <Samples />}
    </Stack>
  );
}
