import { Table, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** The technical names, for who wants them. */
export function TechnicalDetails({ rows }: { rows: readonly (readonly [string, string])[] }) {
  const { t } = useTranslation("memories");
  return (
    <details>
      <Text component="summary" size="sm" style={{ cursor: "pointer" }}>
        {t("why.details")}
      </Text>
      <Table mt="xs" layout="fixed" variant="vertical" fz="xs">
        <Table.Tbody>
          {rows.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th w={110}>{name}</Table.Th>
              <Table.Td style={{ overflowWrap: "anywhere" }}>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </details>
  );
}
