import { useLocalStorage } from "@mantine/hooks";

/** Whether memories are listed in as little room as they need; remembered on this device. */
export const useCompact = () =>
  useLocalStorage({ key: "memories-compact", defaultValue: false, getInitialValueInEffect: false });
