import { Alert, Button, Group, Modal, Stack, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { useTraitRefusal } from "./refusals";
import { useTraitChanged, versionOf } from "./traits";
import { useTraitWords } from "./words";
import { type TraitOut, updateTrait } from "@/client";
import { getTraitOptions } from "@/client/@tanstack/react-query.gen";
import { codeOf } from "@/shared/problems";
import { toast } from "@/shared/toast";
import { useFocusBack } from "@/shared/useFocusBack";

const LONGEST = 160;

/** Lets a person say it in their own words, which confirms it. */
export function EditTrait({ trait, onClose }: { trait: TraitOut; onClose: () => void }) {
  const { t } = useTranslation("traits");
  const words = useTraitWords();
  const queries = useQueryClient();
  const changed = useTraitChanged();
  const refusal = useTraitRefusal();
  const [base, setBase] = useState(trait);
  const [shown] = useState(() => words.sentence(trait));
  const [typed, setTyped] = useState(shown);
  const [judged, setJudged] = useState(false);
  const content = typed.trim();
  useFocusBack(true);

  const save = useMutation({
    mutationFn: async () => {
      const path = { trait_id: trait.id };
      return (await updateTrait({ path, headers: versionOf(base), body: { content }, throwOnError: true })).data;
    },
    onSuccess: (saved) => {
      changed(saved);
      toast({ message: t("edit.done") });
      onClose();
    },
    // What it is by now is read and shown, so that saving again saves over it knowingly.
    onError: (error) => {
      if (codeOf(error) !== "precondition_failed") return;
      const options = { ...getTraitOptions({ path: { trait_id: trait.id } }), staleTime: 0 };
      queries.fetchQuery(options).then(setBase, () => undefined);
    },
  });
  const submit = () => {
    setJudged(true);
    if (content === "") return;
    if (content === shown) onClose();
    else save.mutate();
  };

  return (
    <Modal
      opened
      closeOnClickOutside={false} // what was typed would be lost
      onClose={() => {
        if (!save.isPending) onClose(); // what came of it is said here
      }}
      returnFocus={false}
      title={t("edit.title")}
      closeButtonProps={{ "aria-label": t("common:close") }}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Stack>
          <Textarea
            label={t("edit.label")}
            description={t("edit.about")}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            error={judged && content === "" && t("edit.empty")}
            maxLength={LONGEST}
            autosize
            minRows={2}
            data-autofocus
          />
          {save.isError && (
            <Alert color="gray" variant="outline" role="alert">
              {base !== trait && codeOf(save.error) === "precondition_failed"
                ? t("edit.changed", { now: words.sentence(base) })
                : refusal(save.error)}
            </Alert>
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose} disabled={save.isPending}>
              {t("memories:cancel")}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {base === trait ? t("memories:edit.save") : t("memories:edit.anyway")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
