import { Button, Group, Text, Title } from "@mantine/core";
import { Children, isValidElement, type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";

import classes from "./Inbox.module.css";
import { useKeptFocus } from "./useKeptFocus";

const AT_FIRST = 3;
const STEP = 20;

interface Props {
  title: string;
  about: string;
  /** Whether others follow when these are decided. */
  more: boolean;
  /** What stands beside the title. */
  action?: ReactNode;
  children: ReactNode;
}

/** One kind of things that wait: a few of them, and the others on demand. */
export function InboxPart({ title, about, more, action, children }: Props) {
  const { t } = useTranslation("memories");
  const [most, setMost] = useState(AT_FIRST);
  const id = useId();
  const all = Children.toArray(children);
  const hidden = all.length - Math.min(most, all.length);
  const list = useKeptFocus<HTMLUListElement>();
  return (
    <section aria-labelledby={id} className={classes.inbox}>
      <Group justify="space-between" gap="sm">
        <div>
          <Title order={2} id={id} size="h3" tabIndex={-1}>
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {about}
            {more && ` ${t("inbox.follow")}`}
          </Text>
        </div>
        {action}
      </Group>
      <ul ref={list} className={classes.list}>
        {all.slice(0, most).map((child, index) => (
          <li key={isValidElement(child) ? child.key : index}>{child}</li>
        ))}
      </ul>
      {hidden > 0 && (
        <Button mt="sm" size="compact-sm" variant="subtle" onClick={() => setMost(most + STEP)}>
          {t("inbox.more", { count: hidden })}
        </Button>
      )}
    </section>
  );
}
