import { Button, Checkbox, Group, Stack, Text, Title } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import { Candidate } from "./Candidate";
import classes from "./Found.module.css";
import { piecesOf } from "./fragments";
import type { CandidateOut, FoundToForgetOut } from "@/client";
import { useForget } from "@/shared/forgetting/Forgetting";

interface Props {
  found: FoundToForgetOut;
  token: string;
  /** Find the same again: it has changed. */
  onAgain: () => void;
  onForgotten: () => void;
}

/** What a sentence means, to be ticked or left out; what is not sure is ticked by the person alone. */
export function Found({ found, token, onAgain, onForgotten }: Props) {
  const { t } = useTranslation("data");
  const [left, setLeft] = useState<ReadonlySet<string>>(
    () => new Set(found.candidates.filter(({ sure }) => !sure).map(({ id }) => id)),
  );
  const forget = useForget();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);

  const { candidates } = found;
  const ticked = candidates.filter(({ id }) => !left.has(id));
  const tick = (id: string, wanted: boolean) =>
    setLeft((now) => (wanted ? new Set([...now].filter((one) => one !== id)) : new Set(now).add(id)));
  const look = () => {
    let accepted = false;
    forget({
      target: { scope: "selection", token, ids: ticked.map(({ id }) => id), quotes: ticked.map(quoteOf) },
      onForgotten: () => (accepted = true),
      onClosed: () => accepted && onForgotten(),
      onChanged: onAgain,
    });
  };
  return (
    <Stack gap="md">
      <Title order={2} ref={heading} tabIndex={-1}>
        {t("found.title", { count: candidates.length })}
      </Title>
      {found.more && <Text size="sm">{t("found.more")}</Text>}
      {candidates.length > 1 && (
        <Checkbox
          label={t("found.all")}
          checked={left.size === 0}
          indeterminate={left.size > 0 && ticked.length > 0}
          onChange={() => setLeft(left.size === 0 ? new Set(candidates.map(({ id }) => id)) : new Set())}
        />
      )}
      <Stack component="ul" gap="sm" className={classes.list}>
        {candidates.map((candidate) => (
          <li key={candidate.id}>
            <Candidate
              candidate={candidate}
              ticked={!left.has(candidate.id)}
              onTick={(wanted) => tick(candidate.id, wanted)}
            />
          </li>
        ))}
      </Stack>
      <Group className={classes.decide} justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm" role="status">
          {t("found.ticked", { count: ticked.length, all: candidates.length })}
        </Text>
        <Button flex="none" disabled={ticked.length === 0} onClick={look}>
          {t("found.see")}
        </Button>
      </Group>
    </Stack>
  );
}

const quoteOf = ({ content, parts }: CandidateOut): string =>
  piecesOf(content, parts)
    .filter(({ goes }) => goes)
    .map(({ text }) => text.replace(/^[\s,;.，；。、]+/, "").trim())
    .join(" … ");
