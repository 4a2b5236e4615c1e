import { TextInput } from "@mantine/core";

interface Props {
  /** Says what to type. */
  label: string;
  typed: string;
  onType: (typed: string) => void;
}

/** Where somebody types what shows that they mean it; `isPhrase` tells whether they did. */
export const PhraseInput = ({ label, typed, onType }: Props) => (
  <TextInput
    label={label}
    value={typed}
    onChange={(event) => onType(event.currentTarget.value)}
    autoComplete="off"
    spellCheck={false}
    w="100%"
    maw={360}
  />
);
