import { useTranslation } from "react-i18next";

import { Announced } from "./Announced";
import classes from "./chat.module.css";
import { Composer } from "./Composer";
import { Messages } from "./Messages";
import { Underway } from "./Underway";
import { useDraft, useExchange, wasTypingIn } from "./useExchange";
import { Welcome } from "./Welcome";
import type { ConversationOut } from "@/client";
import { Waiting } from "@/shared/Waiting";

interface Props {
  /** Undefined while there is none yet: what is said first opens it. */
  id: string | undefined;
  /** Undefined while it is being read, too. */
  conversation: ConversationOut | undefined;
  remember: boolean;
  opened: (id: string) => void;
}

/** What was said, what is being said, and a place to say more. */
export function Talk({ id, conversation, remember, opened }: Props) {
  const { t } = useTranslation("chat");
  const { exchange, send, goOn, stop, drop } = useExchange(id, opened);
  const [draft, setDraft] = useDraft(id);
  const say = (words: string) => {
    setDraft("");
    send(words, remember);
  };
  const takeBack = () => {
    if (exchange !== undefined) setDraft([exchange.words, draft].filter(Boolean).join("\n"));
    drop();
  };
  const empty = exchange === undefined && (id === undefined || conversation?.message_count === 0);
  return (
    <>
      <section className={classes.talk} aria-label={t("messages.label")}>
        {id !== undefined && conversation === undefined && exchange === undefined && <Waiting />}
        {conversation !== undefined && <Messages conversation={conversation} exchange={exchange} />}
        <Announced exchange={exchange} />
        {empty && <Welcome onChoose={setDraft} />}
        {exchange !== undefined && (
          <Underway
            exchange={exchange}
            recorded={conversation}
            onGoOn={goOn}
            onStop={stop}
            onTakeBack={takeBack}
            onLeave={drop}
          />
        )}
      </section>
      <Composer
        words={draft}
        onWords={setDraft}
        onSay={say}
        busy={exchange !== undefined}
        focused={exchange !== undefined && wasTypingIn(id)}
      />
    </>
  );
}
