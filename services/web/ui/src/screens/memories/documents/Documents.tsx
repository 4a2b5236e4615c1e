import { Text, VisuallyHidden } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";

import { Forgotten } from "../Forgotten";
import { MemoryParts } from "../MemoryParts";
import list from "../traits/traits.module.css";
import { forgetDocument } from "./api";
import { DocumentCard } from "./DocumentCard";
import { Upload } from "./Upload";
import { listDocuments, type DocumentOut } from "@/client";
import { Failed } from "@/shared/Failed";
import { More } from "@/shared/More";
import { useForgetAtOnce } from "@/shared/forgetting/useForgetAtOnce";
import { pagesOf } from "@/shared/pages";
import { Screen } from "@/shared/Screen";
import { Waiting } from "@/shared/Waiting";

/** The documents a person gave their assistant: added, looked into, forgotten. */
export function Documents() {
  const { t } = useTranslation("documents");
  return (
    <Screen name="memories" width={1080} actions={<Upload />}>
      <MemoryParts here="documents" />
      <VisuallyHidden component="h2" id="documents">
        {t("title")}
      </VisuallyHidden>
      <Text size="sm" c="dimmed" mb="lg">
        {t("about")}
      </Text>
      <Listed />
    </Screen>
  );
}

function Listed() {
  const { t } = useTranslation("documents");
  const found = useInfiniteQuery(pagesOf("listDocuments", listDocuments, { limit: 50 }));
  // What was forgotten just now stands in the list until it is left.
  const [gone, setGone] = useState<ReadonlyMap<string, { document: DocumentOut; operationId: string }>>(new Map());
  const { mutate: forget } = useForgetAtOnce({
    ask: forgetDocument,
    said: { hidden: t("forgotten"), undone: t("undone") },
    onAccepted: (document: DocumentOut, operationId) =>
      setGone((before) => new Map(before).set(document.id, { document, operationId })),
  });
  const undone = useCallback(
    (operationId: string) =>
      setGone((before) => new Map([...before].filter(([, one]) => one.operationId !== operationId))),
    [],
  );
  if (found.error !== null && found.data === undefined) {
    return <Failed error={found.error} again={() => void found.refetch()} />;
  }
  if (found.data === undefined) return <Waiting lines={4} />;
  const there = found.data.pages.flatMap(({ items }) => items).filter(({ id }) => !gone.has(id));
  const shown = [...there, ...[...gone.values()].map(({ document }) => document)].sort((one, other) =>
    one.id < other.id ? 1 : -1,
  );
  if (shown.length === 0) {
    return (
      <div className="card" style={{ padding: 24 }}>
        <Text fw={560}>{t("none.title")}</Text>
        <Text size="sm" c="dimmed" mt={4}>
          {t("none.about")}
        </Text>
      </div>
    );
  }
  return (
    <>
      <ul className={list.list} aria-labelledby="documents">
        {shown.map((document) => {
          const operationId = gone.get(document.id)?.operationId;
          return (
            <li key={document.id}>
              {operationId === undefined ? (
                <DocumentCard document={document} onForget={forget} />
              ) : (
                <Forgotten operationId={operationId} onUndone={undone} />
              )}
            </li>
          );
        })}
      </ul>
      <More pages={found} />
    </>
  );
}
