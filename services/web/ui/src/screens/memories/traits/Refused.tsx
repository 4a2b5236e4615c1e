import { Button, Text, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";

import { useKeptFocus } from "../useKeptFocus";
import classes from "./traits.module.css";
import type { RefusedOut } from "@/client";
import { allowTraitMutation, listRefusedTraitsQueryKey } from "@/client/@tanstack/react-query.gen";
import { toast } from "@/shared/toast";
import { useProblemWords } from "@/shared/useProblemWords";

/** What the person said is not so, and the way to take that back; nothing when there is nothing. */
export function Refused({ refused }: { refused: readonly RefusedOut[] }) {
  const { t, i18n } = useTranslation("traits");
  const queries = useQueryClient();
  const problem = useProblemWords();
  const id = useId();
  const list = useKeptFocus<HTMLUListElement>();
  const allow = useMutation({
    ...allowTraitMutation(),
    onSuccess: () => toast({ message: t("refused.allowed") }),
    onError: (error) => toast({ message: problem(error), color: "gray" }),
    onSettled: () => queries.invalidateQueries({ queryKey: listRefusedTraitsQueryKey() }),
  });
  if (refused.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <Title order={2} size="h3" id={id}>
        {t("refused.title")}
      </Title>
      <Text size="sm" c="dimmed">
        {t("refused.about")}
      </Text>
      <ul ref={list} className={classes.refused}>
        {refused.map(({ trait_key: key, wordings }) => (
          <li key={key}>
            <span id={`${id}-${key}`}>{wordings[i18n.language] ?? key}</span>
            <Button
              variant="subtle"
              size="compact-sm"
              aria-describedby={`${id}-${key}`}
              loading={allow.isPending && allow.variables.path.trait_key === key}
              onClick={() => allow.mutate({ path: { trait_key: key } })}
            >
              {t("refused.allow")}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
