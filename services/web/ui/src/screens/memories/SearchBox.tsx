import { CloseButton, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";

interface Props {
  value: string;
  onChange: (value: string) => void;
}

const LONGEST = 500;

/** What is looked for. It stays on this page: it is never part of an address. */
export function SearchBox({ value, onChange }: Props) {
  const { t } = useTranslation("memories");
  const box = useRef<HTMLInputElement>(null);
  return (
    <form role="search" onSubmit={(event) => event.preventDefault()}>
      <TextInput
        mb="xl"
        ref={box}
        type="search"
        size="md"
        aria-label={t("search.label")}
        placeholder={t("search.placeholder")}
        leftSection={<IconSearch size={18} aria-hidden />}
        rightSection={
          value !== "" && (
            <CloseButton
              aria-label={t("search.clear")}
              onClick={() => {
                onChange("");
                box.current?.focus();
              }}
            />
          )
        }
        value={value}
        maxLength={LONGEST}
        autoComplete="off"
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </form>
  );
}
