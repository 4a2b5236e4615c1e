import { Button, Stack } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { Part } from "../../why/Part";
import { Piece } from "./Piece";
import type { PieceOut } from "@/client";

const AT_FIRST = 5;
const STEP = 20;

interface Props {
  title: string;
  /** Oldest first. */
  pieces: readonly PieceOut[];
}

/** What was said for something, or against it, newest first; nothing when there is nothing. */
export function Pieces({ title, pieces }: Props) {
  const { t } = useTranslation("traits");
  const [most, setMost] = useState(AT_FIRST);
  if (pieces.length === 0) return null;
  const hidden = Math.max(0, pieces.length - most);
  return (
    <Part title={title}>
      <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: "none" }}>
        {pieces
          .map((piece, index) => (
            <li key={piece.id}>
              <Piece piece={piece} isFirst={index === 0} />
            </li>
          ))
          .slice(hidden)
          .reverse()}
      </Stack>
      {hidden > 0 && (
        <Button mt="xs" size="compact-sm" variant="subtle" onClick={() => setMost(most + STEP)}>
          {t("memories:inbox.more", { count: hidden })}
        </Button>
      )}
    </Part>
  );
}
