import { TextInput } from "@mantine/core";

interface Props {
  /** Says what to type. */
  label: string;
  typed: string;
  onType: (typed: string) => void;
  /** Has the focus when its dialog opens. */
  isFirst?: boolean;
}

/** Where somebody types what shows that they mean it; `isPhrase` tells whether they did. */
export const PhraseInput = ({ label, typed, onType, isFirst = false }: Props) => (
  <TextInput
    label={label}
    value={typed}
    onChange={(event) => onType(event.currentTarget.value)}
    autoComplete="off"
    spellCheck={false}
    data-autofocus={isFirst || undefined}
    w="100%"
    maw={360}
  />
);
