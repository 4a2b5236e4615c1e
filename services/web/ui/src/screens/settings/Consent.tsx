import { Anchor, Badge, Button, CloseButton, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import classes from "./settings.module.css";
import { localeOf } from "@/app/i18n";
import type { ConsentOut, StandingOut } from "@/client";
import { getConsentHistoryOptions } from "@/client/@tanstack/react-query.gen";
import { ConfirmWithdrawal } from "@/shared/consent/ConfirmWithdrawal";
import { ConsentDialog } from "@/shared/consent/ConsentDialog";
import {
  goingWords,
  ME,
  preferenceWords,
  sameAgain,
  type Scope,
  SCOPES,
  useConsent,
  useGrant,
  useWithdraw,
} from "@/shared/consent/consents";
import { Failed } from "@/shared/Failed";
import { listed } from "@/shared/listed";
import { toast } from "@/shared/toast";
import { Waiting } from "@/shared/Waiting";

/** What the person allows to be kept: choose, change, withdraw one or all, and what was chosen before. */
export function Consent() {
  const consent = useConsent();
  if (consent.isPending) return <Waiting lines={2} />;
  if (consent.data === undefined) return <Failed error={consent.error} again={() => void consent.refetch()} />;
  return <Standing standing={consent.data} />;
}

function Standing({ standing }: { standing: StandingOut }) {
  const { t, i18n } = useTranslation("consent");
  const [asking, setAsking] = useState(false);
  const [ending, setEnding] = useState<readonly Scope[] | null>(null);
  const withdraw = useWithdraw(() => toast({ message: t("withdrawn") }));
  const { consent, state } = standing;
  const date = consent === null ? "" : dayOf(consent.revoked_at ?? consent.granted_at, i18n.language);
  const holds = consent !== null && consent.revoked_at === null;
  const end = (scopes: readonly Scope[]) => {
    const scope = scopes.length === 1 ? scopes[0] : undefined;
    if (consent !== null) withdraw.mutate({ consentId: consent.consent_id, scope });
    setEnding(null);
  };
  /** What is deleted is asked about first. */
  const ask = (scopes: readonly Scope[]) => {
    if (goingOf(scopes).deleted === "") end(scopes);
    else setEnding(scopes);
  };
  const goingOf = (scopes: readonly Scope[]) =>
    goingWords(
      t,
      i18n.language,
      scopes.map((scope) => standing.goes_with[scope]),
    );
  return (
    <>
      <div className={classes.row}>
        <div className={`${classes.setting ?? ""} ${classes.wraps ?? ""}`}>
          <Text size="sm">{t(`state.${state}`, { date, version: consent?.version })}</Text>
          <Group gap="xs">
            {holds && (
              <Button variant="default" size="sm" loading={withdraw.isPending} onClick={() => ask(SCOPES)}>
                {t("withdrawAll")}
              </Button>
            )}
            <Button variant="default" size="sm" onClick={() => setAsking(true)}>
              {holds ? t("change") : t("choose")}
            </Button>
          </Group>
        </div>
        {withdraw.isError && (
          <div className={classes.failed}>
            <Failed error={withdraw.error} />
          </div>
        )}
      </div>
      {holds &&
        SCOPES.map((scope) => (
          <ScopeRow
            key={scope}
            scope={scope}
            allowed={consent[scope]}
            goes={standing.goes_with[scope]}
            busy={withdraw.isPending}
            onWithdraw={() => ask([scope])}
          />
        ))}
      {holds && <Preferences standing={standing} onAsk={() => setAsking(true)} />}
      <History />
      {asking && <ConsentDialog standing={standing} onClose={() => setAsking(false)} />}
      {ending !== null && (
        <ConfirmWithdrawal going={goingOf(ending)} onClose={() => setEnding(null)} onConfirm={() => end(ending)} />
      )}
    </>
  );
}

interface ScopeRowProps {
  scope: Scope;
  allowed: boolean;
  goes: Record<string, number> | undefined;
  busy: boolean;
  onWithdraw: () => void;
}

/** One scope: what it allows, and what goes with it. */
function ScopeRow({ scope, allowed, goes, busy, onWithdraw }: ScopeRowProps) {
  const { t, i18n } = useTranslation("consent");
  const { deleted, unused } = goingWords(t, i18n.language, [goes]);
  const name = t(`scope.${scope}.name`);
  return (
    <div className={classes.row}>
      <div className={`${classes.setting ?? ""} ${classes.wraps ?? ""}`}>
        <div>
          <Group gap="xs" align="baseline">
            <Text component="span" className={classes.name}>
              {name}
            </Text>
            <Badge variant="light" color={allowed ? undefined : "gray"}>
              {allowed ? t("allowed") : t("notAllowed")}
            </Badge>
          </Group>
          <Text size="sm">{t(`scope.${scope}.about`)}</Text>
          {allowed && (
            <Text size="sm" c="dimmed">
              {deleted === "" && unused === "" && t("goesNothing")}
              {deleted !== "" && t("ifWithdrawn.deleted", { what: deleted })}{" "}
              {unused !== "" && t("ifWithdrawn.unused", { what: unused })}
            </Text>
          )}
        </div>
        {allowed && (
          <Button
            variant="default"
            size="sm"
            aria-label={t("withdrawName", { name })}
            disabled={busy}
            onClick={onWithdraw}
          >
            {t("withdraw")}
          </Button>
        )}
      </div>
    </div>
  );
}

interface PreferencesProps {
  standing: StandingOut;
  onAsk: () => void;
}

/** What is kept in the profile, each to be removed by itself; after the wording changed the person is asked instead. */
function Preferences({ standing, onAsk }: PreferencesProps) {
  const { t } = useTranslation("consent");
  const grant = useGrant(() => undefined);
  const kept = Object.entries(standing.preferences);
  const { consent, state } = standing;
  const remove = (key: string) => {
    if (state !== "granted" || consent === null) onAsk();
    else
      grant.mutate({
        ...sameAgain(standing),
        [key]: null,
        text_version: consent.text_version,
        locale: consent.locale,
      });
  };
  return (
    <div className={classes.row}>
      <Text className={classes.name}>{t("kept.title")}</Text>
      {kept.length === 0 && (
        <Text size="sm" c="dimmed">
          {t("kept.none")}
        </Text>
      )}
      <Stack gap="xs" mt={kept.length === 0 ? 0 : "xs"}>
        {kept.map(([key, stored]) => {
          const { name, value } = preferenceWords(t, key, stored);
          return (
            <Group key={key} justify="space-between" gap="sm" wrap="nowrap" align="baseline">
              <Text size="sm" style={{ overflowWrap: "anywhere" }}>
                {name}: {value}
              </Text>
              <CloseButton
                aria-label={t("kept.remove", { name })}
                disabled={grant.isPending}
                onClick={() => remove(key)}
              />
            </Group>
          );
        })}
      </Stack>
      {grant.isError && (
        <div className={classes.failed}>
          <Failed error={grant.error} />
        </div>
      )}
    </div>
  );
}

/** Every version, newest first; asked for only when somebody wants to see it. */
function History() {
  const { t, i18n } = useTranslation("consent");
  const [open, setOpen] = useState(false);
  const history = useQuery({ ...getConsentHistoryOptions({ path: ME }), enabled: open });
  return (
    <div className={classes.row}>
      <Anchor component="button" type="button" size="sm" aria-expanded={open} onClick={() => setOpen(!open)}>
        {t("history.show")}
      </Anchor>
      {open && history.isPending && <Waiting lines={1} />}
      {open && history.isError && <Failed error={history.error} again={() => void history.refetch()} />}
      {open && history.data !== undefined && (
        <ol className={classes.list} style={{ marginBlockStart: 8 }}>
          {history.data.map((one) => (
            <li key={one.consent_id}>
              <span>
                {t("history.version", {
                  version: one.version,
                  date: dayOf(one.revoked_at ?? one.granted_at, i18n.language),
                })}
              </span>
              <span className={classes.held}>{held(one)}</span>
            </li>
          ))}
        </ol>
      )}
    </div>
  );

  function held(one: ConsentOut): string {
    const scopes = SCOPES.filter((scope) => one[scope]).map((scope) => t(`scope.${scope}.name`));
    const what = scopes.length === 0 ? t("history.nothing") : listed(scopes, i18n.language);
    return one.imported ? `${what} (${t("history.imported")})` : what;
  }
}

const dayOf = (at: string, language: string): string =>
  new Intl.DateTimeFormat(localeOf(language), { dateStyle: "medium", timeStyle: "short" }).format(new Date(at));
