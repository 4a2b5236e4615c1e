import { Title } from "@mantine/core";
import { type ReactNode, useId } from "react";

/** A titled part of the drawer. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Title order={3} size="h4" fz="sm" id={id} mb="xs">
        {title}
      </Title>
      {children}
    </section>
  );
}
