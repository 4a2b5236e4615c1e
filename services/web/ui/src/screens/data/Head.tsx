import { Text, Title } from "@mantine/core";
import type { RefObject } from "react";

interface Props {
  title: string;
  about: string;
  /** For whoever gives it the focus. */
  heading?: RefObject<HTMLHeadingElement | null>;
}

/** What a part of the screen is called and what it is for. */
export const Head = ({ title, about, heading }: Props) => (
  <div>
    <Title order={2} ref={heading} tabIndex={heading === undefined ? undefined : -1}>
      {title}
    </Title>
    <Text size="sm" c="dimmed" mt={4}>
      {about}
    </Text>
  </div>
);
