import { Group, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  title: string;
  about: string;
  /** What is told of it beside its title. */
  aside?: ReactNode;
  children: ReactNode;
}

/** One of the three parts the assistant reads. */
export function Section({ title, about, aside, children }: Props) {
  return (
    <section>
      <Group justify="space-between" align="baseline" gap="xs">
        <Title order={2}>{title}</Title>
        {aside}
      </Group>
      <Text size="sm" c="dimmed" mb="sm">
        {about}
      </Text>
      {children}
    </section>
  );
}
