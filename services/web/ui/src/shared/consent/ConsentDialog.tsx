import { Alert, Button, Checkbox, Group, Modal, Select, Stack, Text, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";

import { CHOICES, type Choice, choiceWords, goingWords, noteStep, sameAgain, SCOPES, useGrant } from "./consents";
import type { GrantIn, OnboardingIn, StandingOut } from "@/client";
import { getConsentTextOptions } from "@/client/@tanstack/react-query.gen";
import { Failed } from "@/shared/Failed";
import { useFocusBack } from "@/shared/useFocusBack";
import { Waiting } from "@/shared/Waiting";

interface Props {
  standing: StandingOut;
  onClose: () => void;
}

/** Asks what may be kept. Only what holds now is ticked beforehand, and skipping grants nothing. */
export function ConsentDialog({ standing, onClose }: Props) {
  const { t, i18n } = useTranslation("consent");
  const locale = i18n.language.startsWith("zh") ? "zh" : "en";
  const text = useQuery(getConsentTextOptions({ query: { locale } }));
  const [scopes, setScopes] = useState<GrantIn>(() => sameAgain(standing));
  const [preferences, setPreferences] = useState<Record<string, string | null>>(() => ({ ...standing.preferences }));
  const isFirst = standing.state === "new";
  useEffect(() => {
    if (isFirst) noteStep("acknowledgement");
  }, [isFirst]);
  const grant = useGrant((given) => {
    if (isFirst) stepsOf(given).forEach(noteStep);
    onClose();
  });
  useFocusBack(true);
  const { consent } = standing;
  const given = consent !== null && consent.revoked_at === null ? consent : null;
  const dropped = SCOPES.filter((scope) => given?.[scope] === true && scopes[scope] !== true);
  const going = goingWords(
    t,
    i18n.language,
    dropped.map((scope) => standing.goes_with[scope]),
  );
  const close = () => {
    if (!grant.isPending) onClose();
  };
  const save = () => {
    if (text.data === undefined) return;
    const said = changed(standing.preferences, preferences);
    grant.mutate({ ...scopes, ...said, text_version: text.data.text_version, locale });
  };
  return (
    <Modal
      opened
      closeOnClickOutside={false} // what was typed would be lost
      onClose={close}
      returnFocus={false}
      title={t("dialog.title")}
      closeButtonProps={{ "aria-label": t("dialog.close"), disabled: grant.isPending }}
      size="lg"
      padding="lg"
    >
      <Stack gap="lg">
        {text.isPending && <Waiting lines={2} />}
        {text.isError && <Failed error={text.error} again={() => void text.refetch()} />}
        {text.data !== undefined && (
          <div>
            <Text>{text.data.text}</Text>
            <Text size="xs" c="dimmed" mt={4}>
              {t("dialog.version", { version: text.data.text_version })}
            </Text>
          </div>
        )}
        <Stack gap="sm">
          {SCOPES.map((scope) => (
            <Checkbox
              key={scope}
              checked={scopes[scope] ?? false}
              onChange={(event) => setScopes({ ...scopes, [scope]: event.currentTarget.checked })}
              label={t(`scope.${scope}.name`)}
              description={t(`scope.${scope}.about`)}
            />
          ))}
        </Stack>
        <Stack gap="sm" component="fieldset" style={{ border: 0, padding: 0, margin: 0 }}>
          <Text component="legend" fw={560}>
            {t("dialog.preferences")}
          </Text>
          {(Object.keys(CHOICES) as Choice[]).map((choice) => (
            <Select
              key={choice}
              label={t(`${choice}.name`)}
              placeholder={t("dialog.unset")}
              data={CHOICES[choice].map((value) => ({ value, label: choiceWords(t, choice, value) }))}
              value={preferences[choice] ?? null}
              onChange={(value) => setPreferences({ ...preferences, [choice]: value })}
              clearable
              clearButtonProps={{ "aria-label": t("dialog.unset") }}
              disabled={scopes.save_to_profile !== true}
            />
          ))}
          <Textarea
            label={t("user_focus_reason.name")}
            description={t("user_focus_reason.about")}
            value={preferences["user_focus_reason"] ?? ""}
            onChange={(event) =>
              setPreferences({ ...preferences, user_focus_reason: event.currentTarget.value || null })
            }
            maxLength={800}
            autosize
            minRows={2}
            disabled={scopes.save_to_profile !== true}
          />
        </Stack>
        {(going.deleted !== "" || going.unused !== "") && (
          <Alert color="gray" variant="outline" role="status">
            <Text size="sm" fw={560} c="error">
              {t("dialog.dropped")}
            </Text>
            {going.deleted !== "" && <Text size="sm">{t("goes", { what: going.deleted })}</Text>}
            {going.unused !== "" && <Text size="sm">{t("stops", { what: going.unused })}</Text>}
          </Alert>
        )}
        {grant.isError && <Failed error={grant.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} disabled={grant.isPending} data-autofocus>
            {t("dialog.skip")}
          </Button>
          <Button
            onClick={save}
            loading={grant.isPending}
            disabled={text.data === undefined}
            {...(going.deleted === "" ? {} : { color: "red.9" })}
          >
            {going.deleted === "" ? t("dialog.save") : t("dialog.saveAndDelete")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** The steps somebody took who chose for the first time. */
function stepsOf(given: GrantIn): OnboardingIn["step"][] {
  const saysMore = Object.keys(given).some((name) => name in CHOICES || name === "user_focus_reason");
  return saysMore ? ["consent", "preferences", "done"] : ["consent", "done"];
}

/** The fields that differ from what is kept; one that was emptied is deleted. */
function changed(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string | null>>,
): Partial<GrantIn> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...names]
      .filter((name) => (before[name] ?? null) !== (after[name] ?? null))
      .map((name) => [name, after[name] ?? null]),
  );
}
