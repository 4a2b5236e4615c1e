import { Box, Group, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";

import { NoReceipt } from "./NoReceipt";
import { ReceiptBody } from "./ReceiptBody";
import classes from "./Receipt.module.css";
import { ColourScheme } from "@/app/ColourScheme";
import { LanguageSwitch } from "@/app/LanguageSwitch";
import { getReceiptOptions } from "@/client/@tanstack/react-query.gen";
import { Failed } from "@/shared/Failed";
import { codeOf } from "@/shared/problems";
import { Waiting } from "@/shared/Waiting";

/** Outside the frame no stream tells what moved: while the erasure goes on, ask again this often. */
const POLL_MILLISECONDS = 2_000;
/** What deleting leaves on the disk is overwritten within hours. */
const SLOW_MILLISECONDS = 60_000;
const UNKNOWN: readonly string[] = ["not_found", "validation_failed"];

/** The proof of a forget for whoever holds its link, signed in or not: no content, no name. */
export function Receipt({ id }: { id: string }) {
  const { t } = useTranslation(["receipt", "common"]);
  const receipt = useQuery({
    ...getReceiptOptions({ path: { receipt_id: id } }),
    refetchInterval: ({ state: { data } }) => {
      if (data?.status === "pending" || data?.status === "running") return POLL_MILLISECONDS;
      return data?.status === "succeeded" && data.purged_at === null ? SLOW_MILLISECONDS : false;
    },
  });
  const unknown = receipt.isError && UNKNOWN.includes(codeOf(receipt.error));
  useEffect(() => {
    document.title = `${t("title")} · ${t("common:product")}`;
  }, [t]);
  return (
    <>
      <a className="skip-link" href="#content">
        {t("common:skip")}
      </a>
      <Group component="header" className={classes.header} justify="space-between" wrap="nowrap">
        <Text component={Link} href="/" fw={620} size="lg" className={classes.product}>
          {t("common:product")}
        </Text>
        <Group gap="xs" wrap="nowrap">
          <LanguageSwitch />
          <ColourScheme />
        </Group>
      </Group>
      <Box component="main" id="content" tabIndex={-1} maw={720} mx="auto" px="md" py="xl">
        {receipt.data === undefined && !unknown && (
          <Title order={1} size="h2" mb="md">
            {t("title")}
          </Title>
        )}
        {receipt.isPending && <Waiting />}
        {receipt.isError &&
          (unknown ? <NoReceipt /> : <Failed error={receipt.error} again={() => void receipt.refetch()} />)}
        {receipt.data !== undefined && <ReceiptBody receipt={receipt.data} />}
      </Box>
    </>
  );
}
