import { Text } from "@mantine/core";
import { memo } from "react";
import { useTranslation } from "react-i18next";

import { Answer } from "./Answer";
import { isBuiltIn } from "./assistant";
import classes from "./chat.module.css";
import { wordsOf } from "./citations";
import { Learned } from "./Learned";
import { MessageMenu } from "./MessageMenu";
import { Used } from "./Used";
import { useReasons } from "./useExchange";
import type { MemoryOut, MessageOut } from "@/client";
import { When } from "@/shared/When";

interface Props {
  message: MessageOut;
  /** What was learned from it. */
  learned: readonly MemoryOut[];
  /** Whether something was said after it: only then is anything learned from it. */
  answered: boolean;
  /** Whether it is the newest of its person. */
  newest: boolean;
  onForget: (id: string) => void;
  onAsk: (id: string) => void;
}

/** One message: who said it, what, and what became of it. */
export const Message = memo(function Message({ message, learned, answered, newest, onForget, onAsk }: Props) {
  const { t } = useTranslation("chat");
  const { role } = message;
  const reasons = useReasons(message.id);
  const assistant = role === "assistant";
  const menu = (
    <MessageMenu
      words={assistant ? wordsOf(message.content) : message.content}
      onForget={() => onForget(message.id)}
      onAsk={() => onAsk(message.id)}
    />
  );
  return (
    <article className={classes.message} data-role={role}>
      <Text component="h2" size="xs" c="dimmed" className={classes.speaker}>
        {t(`role.${role}`)}
        {isBuiltIn(message) && ` · ${t("responder.name")}`} · <When at={message.spoken_at} />
      </Text>
      <div className={classes.said}>
        <div className={`words ${classes.bubble ?? ""}`}>
          {assistant ? (
            <Answer text={message.content} conversation={message.conversation_id} reasons={reasons} />
          ) : (
            message.content
          )}
          {!message.completed && (
            <Text size="xs" c="dimmed">
              {t("messages.unfinished")}
            </Text>
          )}
        </div>
        {!assistant && menu}
      </div>
      {assistant ? (
        <div className={classes.foot}>
          <Used message={message} reasons={reasons} />
          {menu}
        </div>
      ) : (
        role === "user" && <Learned message={message} memories={learned} answered={answered} newest={newest} />
      )}
    </article>
  );
});
