import { NativeSelect } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { type Sort, SORTS } from "./filters";

interface Props {
  sort: Sort;
  onChange: (sort: Sort) => void;
}

/** How the list is ordered. */
export function Order({ sort, onChange }: Props) {
  const { t } = useTranslation("memories");
  return (
    <NativeSelect
      size="xs"
      aria-label={t("list.order")}
      value={sort}
      onChange={({ currentTarget: { value } }) => onChange(SORTS.find((one) => one === value) ?? "newest")}
      data={SORTS.map((value) => ({ value, label: t(`list.sort.${value}`) }))}
    />
  );
}
