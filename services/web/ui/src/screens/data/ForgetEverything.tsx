import { Anchor, Button, Checkbox, List, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";

import classes from "./ForgetEverything.module.css";
import { everythingOptions } from "@/shared/exporting/everything";
import { EverythingGone } from "./EverythingGone";
import { goExport, isBackAtOffer } from "./exportOffer";
import { isPhrase } from "./phrase";
import { PhraseInput } from "./PhraseInput";
import { sessionOptions } from "@/app/session";
import { signOut } from "@/client";
import { forgetMutation } from "@/client/@tanstack/react-query.gen";
import { Failed } from "@/shared/Failed";
import { copiesIn, kindsIn } from "@/shared/forgetting/kinds";
import { listed } from "@/shared/listed";
import { useOnceKey } from "@/shared/once";
import { Waiting } from "@/shared/Waiting";

/** Everything that is kept, in counts; what stays; and the phrase that makes it go. */
export function ForgetEverything() {
  const { t, i18n } = useTranslation(["data", "forgetting"]);
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const onceKey = useOnceKey();
  const [phrase, setPhrase] = useState("");
  const [closes, setCloses] = useState(false);
  const foreseen = useQuery(everythingOptions);
  const offer = useRef<HTMLButtonElement>(null);
  const { isSuccess } = foreseen;
  useEffect(() => {
    if (isSuccess && offer.current !== null && isBackAtOffer()) offer.current.focus();
  }, [isSuccess]);
  const forget = useMutation({
    ...forgetMutation(),
    onSuccess: async ({ receipt_id }, { body }) => {
      setPhrase("");
      if (body.close_account !== true) {
        queries.removeQueries({ queryKey: ["chat"] }); // what was typed and said in this visit
        return queries.invalidateQueries();
      }
      // The account is gone: what is left to see is the receipt, which needs nobody signed in. It is gone to when
      // nothing is cleared any more: a read that is cleared while it is under way is waited for in vain.
      await signOut().catch(() => undefined); // of an account that is gone the session is worth nothing
      queries.clear();
      navigate(`/receipts/${receipt_id}`);
      queries.setQueryData(sessionOptions.queryKey, null);
    },
  });

  if (forget.data !== undefined && forget.variables?.body.close_account !== true) {
    return <EverythingGone operationId={forget.data.op_id} receiptId={forget.data.receipt_id} />;
  }
  if (foreseen.isPending) return <Waiting />;
  if (foreseen.data === undefined) return <Failed error={foreseen.error} again={() => void foreseen.refetch()} />;

  const means = isPhrase(phrase);
  const kinds = kindsIn(foreseen.data, t);
  const copies = copiesIn(foreseen.data, t);
  return (
    <Stack gap="xl">
      <div>
        <Title order={2}>{t("everything.title")}</Title>
        <Text size="sm" c="dimmed" mt={4}>
          {t("everything.about")}
        </Text>
      </div>
      <div>
        <Title order={3} mb="xs">
          {t("everything.goes")}
        </Title>
        {kinds.length === 0 ? (
          <Text>{t("everything.nothing")}</Text>
        ) : (
          <>
            <ul className={classes.kinds}>
              {kinds.map((words) => (
                <li key={words}>{words}</li>
              ))}
            </ul>
            {copies.length > 0 && (
              <Text size="sm" c="dimmed" mt="xs">
                {t("forgetting:copies.all", { copies: listed(copies, i18n.language) })}
              </Text>
            )}
          </>
        )}
      </div>
      <div>
        <Title order={3} mb="xs">
          {t("everything.staysTitle")}
        </Title>
        <List spacing={4}>
          <List.Item>{closes ? t("everything.stays.stub") : t("everything.stays.settings")}</List.Item>
          <List.Item>{t("everything.stays.receipts")}</List.Item>
          <List.Item>{t("everything.stays.sent")}</List.Item>
          <List.Item>{t("everything.stays.backups")}</List.Item>
        </List>
      </div>
      {kinds.length > 0 && (
        <Text>
          {t("everything.export")}{" "}
          <Anchor component="button" type="button" ref={offer} underline="always" onClick={goExport}>
            {t("everything.exportFirst")}
          </Anchor>
        </Text>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!means || forget.isPending) return;
          const body = { scope: "user", confirmation: phrase.trim(), close_account: closes } as const;
          forget.mutate({ body, headers: { "Idempotency-Key": onceKey(body) } });
        }}
      >
        <Stack gap="md" align="flex-start">
          <Checkbox
            checked={closes}
            disabled={forget.isPending}
            onChange={(event) => setCloses(event.currentTarget.checked)}
            label={t("everything.close")}
            description={t("everything.closeMeans")}
          />
          <PhraseInput label={t("everything.type")} typed={phrase} onType={setPhrase} />
          {forget.error !== null && <Failed error={forget.error} />}
          <Button type="submit" color="red.9" disabled={!means} loading={forget.isPending}>
            {closes ? t("everything.forgetAndClose") : t("everything.forget")}
          </Button>
        </Stack>
      </form>
    </Stack>
  );
}
