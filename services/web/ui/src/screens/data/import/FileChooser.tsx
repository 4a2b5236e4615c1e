import { Button, FileButton, Text } from "@mantine/core";
import { IconFileImport } from "@tabler/icons-react";
import { type DragEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import classes from "./FileChooser.module.css";

const ACCEPTED = ".zip,.json,application/zip,application/json";

interface Props {
  /** Somebody comes back here from what they pressed, which is gone. */
  focused: boolean;
  onChoose: (file: File) => void;
}

/** One file, chosen or dropped. */
export function FileChooser({ focused, onChoose }: Props) {
  const { t } = useTranslation("data");
  const [over, setOver] = useState(false);
  const [several, setSeveral] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (focused) button.current?.focus({ preventScroll: true });
  }, [focused]);
  const take = (files: readonly File[]) => {
    setSeveral(files.length > 1);
    const [file] = files;
    if (files.length === 1 && file !== undefined) onChoose(file);
  };
  const drag = (isOver: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setOver(isOver);
  };
  return (
    <div
      className={classes.place}
      data-over={over || undefined}
      onDragEnter={drag(true)}
      onDragOver={drag(true)}
      onDragLeave={drag(false)}
      onDrop={(event) => {
        drag(false)(event);
        take([...event.dataTransfer.files]);
      }}
    >
      <IconFileImport size={28} stroke={1.5} aria-hidden />
      <FileButton accept={ACCEPTED} onChange={(file) => take(file === null ? [] : [file])}>
        {(props) => (
          <Button {...props} ref={button}>
            {t("import.choose")}
          </Button>
        )}
      </FileButton>
      <Text size="sm" c="dimmed" className={classes.drop}>
        {t("import.drop")}
      </Text>
      <Text size="sm" role="status">
        {several && t("import.oneFile")}
      </Text>
      <Text size="sm" c="dimmed" maw={440}>
        {t("import.accepted")}
      </Text>
    </div>
  );
}
