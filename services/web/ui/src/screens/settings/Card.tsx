import { Stack, Text, Title } from "@mantine/core";
import { Children, type ReactNode, useId } from "react";

import classes from "./settings.module.css";

interface Props {
  title: string;
  /** What its settings have in common. */
  about: string;
  children: ReactNode;
}

/** Settings that belong together. */
export function Card({ title, about, children }: Props) {
  const id = useId();
  return (
    <Stack component="section" gap="xs" aria-labelledby={id}>
      <div>
        <Title order={2} id={id}>
          {title}
        </Title>
        <Text size="sm" c="dimmed">
          {about}
        </Text>
      </div>
      <div className={`card ${classes.card}`}>{Children.toArray(children)}</div>
    </Stack>
  );
}
