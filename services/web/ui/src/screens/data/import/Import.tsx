import { Stack } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import { acceptImport, previewImport } from "./api";
import { Brought } from "./Brought";
import { FileChooser } from "./FileChooser";
import { Preview } from "./Preview";
import { Reading } from "./Reading";
import { Refused } from "./Refused";
import { Head } from "../Head";
import { randomKey } from "@/shared/once";

/** Choose a file, see what it would bring, decide, and watch it come in. Until then nothing of it is kept. */
export function Import() {
  const { t } = useTranslation("data");
  const queries = useQueryClient();
  const [file, setFile] = useState<File>();
  const [hasLeft, setHasLeft] = useState(false);
  const key = useRef("");
  const looking = useRef<AbortController>(null);
  useEffect(() => () => looking.current?.abort(), []);

  const preview = useMutation({
    mutationFn: (chosen: File) => {
      looking.current?.abort();
      looking.current = new AbortController();
      return previewImport(chosen, looking.current.signal);
    },
  });
  const bring = useMutation({
    mutationFn: ({ chosen, restoreForgotten }: { chosen: File; restoreForgotten: boolean }) =>
      acceptImport(chosen, key.current, restoreForgotten),
    onSuccess: () => queries.invalidateQueries(),
  });

  const look = (chosen: File) => {
    key.current = randomKey();
    setFile(chosen);
    bring.reset();
    preview.mutate(chosen);
  };
  const leave = () => {
    looking.current?.abort();
    setFile(undefined);
    setHasLeft(true);
    preview.reset();
    bring.reset();
  };

  if (bring.data !== undefined) return <Brought operationId={bring.data} onAnother={leave} />;
  const isWaiting = preview.isPending || bring.isPending;
  return (
    <Stack gap="xl">
      <Head title={t("import.title")} about={t("import.about")} />
      {file !== undefined && preview.isError && (
        <Refused file={file} error={preview.error} onAgain={() => preview.mutate(file)} />
      )}
      {(file === undefined || preview.isError) && <FileChooser focused={hasLeft || preview.isError} onChoose={look} />}
      {file !== undefined && isWaiting && (
        <Reading file={file} bringing={bring.isPending} onCancel={bring.isPending ? undefined : leave} />
      )}
      {file !== undefined && !isWaiting && preview.data !== undefined && (
        <Preview
          file={file}
          preview={preview.data}
          error={bring.error}
          onBring={() => bring.mutate({ chosen: file, restoreForgotten: preview.data.returning.length > 0 })}
          onLook={() => look(file)}
          onCancel={leave}
        />
      )}
    </Stack>
  );
}
