import { Button, FileButton } from "@mantine/core";
import { IconFilePlus } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useTranslation } from "react-i18next";

import { ACCEPTED, upload } from "./api";
import { isProblem } from "@/shared/problems";
import { toast } from "@/shared/toast";
import { useProblemWords } from "@/shared/useProblemWords";

const FAULTS = [
  "document_not_text",
  "document_empty",
  "document_encrypted",
  "document_without_text",
  "document_malformed",
  "document_too_long",
  "document_too_complex",
  "body_too_large",
] as const;

type Fault = (typeof FAULTS)[number];

const isFault = (code: string): code is Fault => (FAULTS as readonly string[]).includes(code);

/** A button that adds a document, and says what came of it. */
export function Upload() {
  const { t } = useTranslation("documents");
  const { t: common } = useTranslation();
  const queries = useQueryClient();
  const words = useProblemWords();
  /** A browser says nothing of a file that is chosen again, unless the choice before is forgotten. */
  const chooseAgain = useRef<() => void>(null);
  const { mutate, isPending } = useMutation({
    mutationFn: upload,
    onSuccess: ({ title, parts }) => {
      toast({ message: t("added", { title, count: parts }) });
      return queries.invalidateQueries();
    },
    onSettled: () => chooseAgain.current?.(),
    onError: (error) => {
      const message = isProblem(error) && isFault(error.code) ? t(`faults.${error.code}`) : words(error);
      toast({ message, color: "gray", closeButtonProps: { "aria-label": common("close") } });
    },
  });
  return (
    <FileButton resetRef={chooseAgain} accept={ACCEPTED} onChange={(file) => file !== null && mutate(file)}>
      {(props) => (
        <Button {...props} loading={isPending} leftSection={<IconFilePlus size={18} aria-hidden />}>
          {t("add")}
        </Button>
      )}
    </FileButton>
  );
}
