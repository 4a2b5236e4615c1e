import { Code, Drawer, Stack, Table, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";

import type { OperationOut } from "@/client";

/** An operation as the system knows it, for whoever has to look closer. */
export function OperationDetails({ operation, onClose }: { operation: OperationOut; onClose: () => void }) {
  const { t } = useTranslation("data");
  return (
    <Drawer
      opened
      onClose={onClose}
      returnFocus={false}
      position="right"
      title={t("operations.detailsTitle")}
      closeButtonProps={{ "aria-label": t("close") }}
    >
      <Stack gap="lg">
        <Facts
          of={{
            id: operation.id,
            type: operation.type,
            status: operation.status,
            created_at: operation.created_at,
            unrecallable_at: operation.unrecallable_at,
            erased_at: operation.erased_at,
            purged_at: operation.purged_at,
            not_before: operation.not_before,
            retry_count: operation.retry_count,
            receipt_id: operation.receipt_id,
          }}
        />
        {operation.steps.map((step) => (
          <div key={step.name}>
            <Title order={3} size="sm" mb={4}>
              <Code>{step.name}</Code>
            </Title>
            <Facts
              of={{
                status: step.status,
                attempts: step.attempts,
                counts: JSON.stringify(step.counts),
                last_error: step.last_error,
                next_retry_at: step.next_retry_at,
                started_at: step.started_at,
                finished_at: step.finished_at,
              }}
            />
          </div>
        ))}
      </Stack>
    </Drawer>
  );
}

/** Names and values exactly as the API gives them; what there is none of is left out. */
function Facts({ of }: { of: Record<string, string | number | null> }) {
  return (
    <Table variant="vertical" layout="fixed" withRowBorders={false} fz="xs">
      <Table.Tbody>
        {Object.entries(of)
          .filter(([, value]) => value !== null)
          .map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th w={120} fw={400}>
                {name}
              </Table.Th>
              <Table.Td>
                <Text size="xs" className="words">
                  {value}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
      </Table.Tbody>
    </Table>
  );
}
