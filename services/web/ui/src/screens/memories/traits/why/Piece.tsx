import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";

import { weightOf } from "../words";
import type { PieceOut } from "@/client";
import { getConversationOptions } from "@/client/@tanstack/react-query.gen";
import classes from "@/shared/memories/Quote.module.css";
import { useConversationName } from "@/shared/useConversationName";
import { When } from "@/shared/When";

interface Props {
  piece: PieceOut;
  /** Whether nothing was seen before it. */
  isFirst: boolean;
}

/** One thing that was said: the words, when and where, and what it weighs. */
export function Piece({ piece, isFirst }: Props) {
  const { t } = useTranslation("traits");
  const { quote, source_kind: kind, source_id: source, conversation_id: conversation } = piece;
  const weight = piece.side === "supporting" ? weightOf(piece, isFirst) : undefined;
  return (
    <blockquote className="quote">
      <div className={classes.words}>
        {quote === null ? t(`why.source.${kind}`) : t("memories:quote.words", { quote })}
      </div>
      {weight !== undefined && (
        <Text size="sm" c="dimmed">
          {t(`weight.${weight}`)}
        </Text>
      )}
      <footer className={classes.origin}>
        <When at={piece.at} />
        {kind === "memory" ? (
          <>
            {t("separator")}
            <Link href={`/memories/${source}`} className={classes.link}>
              {t("why.source.memory")}
            </Link>
          </>
        ) : (
          conversation !== null && (
            <>
              {t("separator")}
              <ConversationLink id={conversation} />
            </>
          )
        )}
      </footer>
    </blockquote>
  );
}

/** A conversation of which only the id is known: its name, which leads to it. */
function ConversationLink({ id }: { id: string }) {
  const { t } = useTranslation("memories");
  const nameOf = useConversationName();
  const { data } = useQuery(getConversationOptions({ path: { conversation_id: id } }));
  return (
    <Link href={`/conversation/${id}`} className={classes.link}>
      {data === undefined ? t("quote.untitled") : nameOf(data)}
    </Link>
  );
}
