import { Button, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";

import { addSample, SAMPLES } from "./samples";
import { useProblemWords } from "@/shared/useProblemWords";
import { randomKey } from "@/shared/once";

const BEGINNINGS: readonly string[] = ["/", "/chat", "/chat/new"];

/** Fills an empty installation with three short conversations, which say of themselves that they are examples. */
export function Samples() {
  const { t, i18n } = useTranslation("chat");
  const words = useProblemWords();
  const [, navigate] = useLocation();
  const [added, setAdded] = useState(0);
  const key = useRef(randomKey()); // one try and all its repetitions add them once
  const samples = SAMPLES[i18n.language === "zh" ? "zh" : "en"];
  const fill = useMutation({
    mutationFn: async () => {
      let last = "";
      for (const [index, sample] of samples.entries()) {
        last = await addSample(sample, `${key.current}:${i18n.language}:${index}`);
        setAdded(index + 1);
      }
      return last;
    },
    // Who went elsewhere meanwhile stays there.
    onSuccess: (conversation) => BEGINNINGS.includes(location.pathname) && navigate(`/chat/${conversation}`),
  });
  return (
    <Stack gap={4} align="flex-start">
      <Button variant="default" loading={fill.isPending} onClick={() => fill.mutate()}>
        {t("samples.add")}
      </Button>
      <Text size="sm" c="dimmed" maw={520}>
        {t("samples.about")}
      </Text>
      <Text size="sm" role="status">
        {fill.isPending && t("samples.adding", { added, all: samples.length })}
        {fill.error !== null && words(fill.error)}
      </Text>
    </Stack>
  );
}
