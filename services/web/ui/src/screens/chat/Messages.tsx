import { Anchor, Button, Text } from "@mantine/core";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";

import { isBuiltIn, STAND_IN } from "./assistant";
import classes from "./chat.module.css";
import type { Exchange } from "./exchange";
import { useLearned } from "./learned";
import { Message } from "./Message";
import { useMessages } from "@/shared/messages";
import { useHint } from "./useExchange";
import { useScrolling } from "./useScrolling";
import type { ConversationOut, MemoryOut } from "@/client";
import { Failed } from "@/shared/Failed";
import { useForget } from "@/shared/forgetting/Forgetting";
import { OnDemand } from "@/shared/OnDemand";
import { part } from "@/shared/parts";
import { useFocusBack } from "@/shared/useFocusBack";
import { useMorePages } from "@/shared/useMorePages";
import { Waiting } from "@/shared/Waiting";

const Derived = part(async () => ({ default: (await import("@/later")).Derived }));

const NOTHING: readonly MemoryOut[] = []; // always the same, so that a message is not drawn again for it

interface Props {
  conversation: ConversationOut;
  exchange: Exchange | undefined;
}

/** What was said in a conversation, oldest first, from the newest page backwards. */
export function Messages({ conversation, exchange }: Props) {
  const { t } = useTranslation("chat");
  const { t: consent } = useTranslation("consent");
  const { query, messages } = useMessages(conversation.id);
  const { more, coming, failed } = useMorePages(query);
  const learned = useLearned(conversation.id);
  const forget = useForget();
  const forgetMessage = useCallback((id: string) => forget({ target: { scope: "message", id } }), [forget]);
  // Kept here, not in a message: what it is about may leave the list while it is open.
  const [asked, setAsked] = useState<string | null>(null);
  useFocusBack(asked !== null);
  useScrolling(messages?.[0]?.id, messages?.at(-1)?.id, exchange);

  const answer = messages?.findLast(({ role }) => role === "assistant");
  const hinted = useHint(answer?.id ?? "");

  if (query.isPending || learned === undefined) return <Waiting />;
  if (messages === undefined) return <Failed error={query.error} again={() => void query.refetch()} />;
  const last = messages.findLastIndex(({ role }) => role === "user");
  return (
    <>
      {failed && (
        <Text size="sm" role="alert" className={classes.earlier ?? ""}>
          {t("common:moreFailed")}
        </Text>
      )}
      {query.hasNextPage && (
        <Button variant="subtle" className={classes.earlier ?? ""} loading={coming} onClick={more}>
          {t("messages.earlier")}
        </Button>
      )}
      <ol className={classes.messages}>
        {messages.map((message, index) => (
          <li key={message.id}>
            <Message
              message={message}
              learned={learned.get(message.id) ?? NOTHING}
              answered={index < last || (index === last && messages.length > last + 1)}
              newest={index === last}
              onForget={forgetMessage}
              onAsk={setAsked}
            />
          </li>
        ))}
      </ol>
      {answer !== undefined && isBuiltIn(answer) && (
        <Text size="xs" c="dimmed" className={classes.responder}>
          {t(answer.name === STAND_IN ? "responder.failed" : "responder.means")}
        </Text>
      )}
      {hinted && (
        <Text size="sm" className={classes.responder} role="note">
          {consent("hint.text")}{" "}
          <Anchor component={Link} href="/settings">
            {consent("hint.link")}
          </Anchor>
        </Text>
      )}
      {asked !== null && (
        <OnDemand onFailed={() => setAsked(null)}>
          <Derived messageId={asked} onClose={() => setAsked(null)} />
        </OnDemand>
      )}
    </>
  );
}
