import { Button, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useTranslation } from "react-i18next";

import { Parts } from "./Parts";
import type { DocumentOut } from "@/client";
import { localeOf } from "@/app/i18n";
import { bytesWords } from "@/shared/bytes";
import classes from "@/shared/memories/MemoryCard.module.css";
import { When } from "@/shared/When";

interface Props {
  document: DocumentOut;
  onForget: (document: DocumentOut) => void;
}

/** One document: what it is, a look at its text, and the way to make all of it go. */
export function DocumentCard({ document, onForget }: Props) {
  const { t, i18n } = useTranslation("documents");
  const [opened, { open, close }] = useDisclosure(false);
  const name = `document-${document.id}`;
  const kind = t(`kind.${document.media_type}`);
  const pages = document.pages === null ? [] : [t("pages", { count: document.pages })];
  const line = [
    kind,
    ...pages,
    t("parts", { count: document.parts }),
    bytesWords(document.size, localeOf(i18n.language)),
  ];
  return (
    <article className={`card ${classes.card ?? ""}`} aria-labelledby={name}>
      <div id={name} className={classes.sentence}>
        {document.title}
      </div>
      <div className={classes.line}>
        <span>
          {line.join(" · ")} · <When at={document.created_at} />
        </span>
      </div>
      <Group gap="xs" mt="sm">
        <Button size="compact-sm" variant="default" aria-describedby={name} onClick={open}>
          {t("look")}
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          aria-describedby={name}
          onClick={() => onForget(document)}
        >
          {t("forget")}
        </Button>
      </Group>
      {opened && <Parts document={document} onClose={close} />}
    </article>
  );
}
