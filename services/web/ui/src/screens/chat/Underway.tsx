import { Alert, Button, Group, Loader, Text } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";

import { Answer } from "./Answer";
import classes from "./chat.module.css";
import { withoutUnfinishedCitation } from "./citations";
import { type Exchange, STOPPED } from "./exchange";
import { useMessages } from "@/shared/messages";
import type { ConversationOut } from "@/client";
import { useProblemWords } from "@/shared/useProblemWords";

interface Props {
  exchange: Exchange;
  /** The conversation, once it is there: what it has recorded is shown by its list, not here. */
  recorded: ConversationOut | undefined;
  onGoOn: () => void;
  onStop: () => void;
  onTakeBack: () => void;
  onLeave: () => void;
}

/** What is being said and answered right now, and what can be done when it does not go on. */
export function Underway({ exchange, recorded, ...actions }: Props) {
  const { t } = useTranslation("chat");
  const { messages } = useMessages(recorded?.id);
  const listed = new Set<string | null | undefined>(
    messages?.flatMap(({ id, client_message_id }) => [id, client_message_id]),
  );
  const { step, failure } = exchange;
  const answering = failure === undefined && (step === "saying" || step === "answering");
  return (
    <>
      {!listed.has(exchange.id) && (
        <article className={classes.message} data-role="user">
          <Text component="h2" size="xs" c="dimmed" className={classes.speaker}>
            {t("role.user")}
          </Text>
          <div className={classes.said}>
            <div className={`words ${classes.bubble ?? ""}`} data-unsent={step === "saying" || undefined}>
              {exchange.words}
            </div>
          </div>
        </article>
      )}
      {(answering || exchange.answer !== "") && !listed.has(exchange.answered) && (
        <article className={classes.message} data-role="assistant" aria-busy={answering}>
          <Text component="h2" size="xs" c="dimmed" className={classes.speaker}>
            {t("role.assistant")}
          </Text>
          {exchange.answer === "" ? (
            failure === undefined && (
              <Group gap="xs" role="status">
                <Loader size="xs" type="dots" aria-hidden />
                <Text size="sm" c="dimmed">
                  {t(step === "saying" ? "underway.saying" : "underway.answering")}
                </Text>
              </Group>
            )
          ) : (
            <div className={`words ${classes.bubble ?? ""}`}>
              <Answer
                text={withoutUnfinishedCitation(exchange.answer)}
                conversation={exchange.conversation ?? ""}
                reasons={exchange.reasons}
              />
            </div>
          )}
          {failure === undefined && step === "answering" && (
            <Button size="compact-sm" variant="default" mt="xs" onClick={actions.onStop}>
              {t("underway.stop")}
            </Button>
          )}
        </article>
      )}
      {failure !== undefined && step !== "done" && <Stuck step={step} failure={failure} {...actions} />}
    </>
  );
}

interface StuckProps extends Pick<Props, "onGoOn" | "onTakeBack" | "onLeave"> {
  step: "saying" | "answering" | "keeping";
  failure: unknown;
}

/** Says how far it came, why it does not go on, and what to do. */
function Stuck({ step, failure, onGoOn, onTakeBack, onLeave }: StuckProps) {
  const { t } = useTranslation("chat");
  const words = useProblemWords();
  return (
    <Alert color="gray" variant="outline" role="alert" icon={<IconPlugConnectedX aria-hidden />} mt="md">
      <Text size="sm">
        {failure === STOPPED
          ? t("stuck.stopped")
          : t("stuck.because", { what: t(`stuck.${step}`), why: words(failure) })}
      </Text>
      <Group mt="xs" gap="sm">
        <Button size="compact-sm" variant="default" onClick={onGoOn}>
          {t(`goOn.${step}`)}
        </Button>
        <Button size="compact-sm" variant="subtle" onClick={step === "saying" ? onTakeBack : onLeave}>
          {t(step === "saying" ? "stuck.takeBack" : "stuck.leave")}
        </Button>
      </Group>
    </Alert>
  );
}
