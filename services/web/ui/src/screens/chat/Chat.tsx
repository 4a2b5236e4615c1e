import { Anchor, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link, Redirect, useLocation } from "wouter";

import classes from "./chat.module.css";
import { Conversations } from "./Conversations";
import { Header } from "./Header";
import { NewHeader } from "./NewHeader";
import { Talk } from "./Talk";
import { NEW, useRememberNext } from "./useExchange";
import { getConversationOptions } from "@/client/@tanstack/react-query.gen";
import { Failed } from "@/shared/Failed";
import { useLastOpened } from "@/shared/kept";
import { isProblem } from "@/shared/problems";

/** `/chat` comes back to the conversation last looked at, `/chat/new` begins one, `/chat/<id>` shows one. */
export function Chat({ id }: { id: string | undefined }) {
  const { t } = useTranslation();
  const [lastOpened, setLastOpened] = useLastOpened();
  const title = `${t("places.chat.long")} · ${t("product")}`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  const conversation = id === NEW ? undefined : id;
  useEffect(() => {
    if (id !== undefined) setLastOpened(conversation);
  }, [id, conversation, setLastOpened]);

  if (id === undefined && lastOpened !== undefined) return <Redirect to={`/chat/${lastOpened}`} replace />;
  return (
    <div className={classes.chat}>
      <aside className={classes.side}>
        <Conversations here={conversation} />
      </aside>
      <div className={classes.main}>
        {conversation === undefined ? <Beginning key={NEW} /> : <Open key={conversation} id={conversation} />}
      </div>
    </div>
  );
}

function Beginning() {
  const [remember, setRemember] = useRememberNext();
  const [, navigate] = useLocation();
  const opened = useCallback(
    (id: string) => {
      setRemember(true); // the one after it begins as usual
      // Somebody may look at another screen by now: they are not called away from it.
      if (/^\/chat(\/new)?$/.test(location.pathname)) navigate(`/chat/${id}`, { replace: true });
    },
    [navigate, setRemember],
  );
  return (
    <>
      <NewHeader remember={remember} onRemember={setRemember} />
      <Talk id={undefined} conversation={undefined} remember={remember} opened={opened} />
    </>
  );
}

const stay = () => undefined;

function Open({ id }: { id: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(getConversationOptions({ path: { conversation_id: id } }));
  if (error !== null && data === undefined) return <Gone error={error} again={() => void refetch()} />;
  return (
    <>
      {data === undefined ? <NewHeader title={t("loading")} /> : <Header conversation={data} />}
      <Talk id={id} conversation={data} remember={data?.remember ?? true} opened={stay} />
    </>
  );
}

/** The conversation cannot be shown; if it is not there any more, coming back to the chat begins a new one. */
function Gone({ error, again }: { error: unknown; again: () => void }) {
  const { t } = useTranslation("chat");
  const [, setLastOpened] = useLastOpened();
  const isGone = isProblem(error) && (error.status === 404 || error.status === 410);
  useEffect(() => {
    if (isGone) setLastOpened(undefined);
  }, [isGone, setLastOpened]);
  return (
    <>
      <NewHeader title={isGone ? t("gone.title") : t("common:loading")} />
      <Stack mt="md" align="flex-start">
        {isGone ? <Failed error={error} /> : <Failed error={error} again={again} />}
        <Anchor component={Link} href="/chat/new" underline="always">
          {t("gone.begin")}
        </Anchor>
      </Stack>
    </>
  );
}
