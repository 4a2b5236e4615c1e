import { useTranslation } from "react-i18next";

import classes from "./Masked.module.css";
import { piecesOf } from "./maskedPieces";

/** What was said, with words in place of what is never remembered. */
export function Masked({ text }: { text: string }) {
  const { t } = useTranslation("memories");
  return piecesOf(text).map((piece, index) =>
    "words" in piece ? (
      piece.words
    ) : (
      <span key={index} className={classes.masked}>
        {t("withheld.masked", { kind: t(`withheld.kind.${piece.kind}`) })}
      </span>
    ),
  );
}
