import { ActionIcon, Menu, Text } from "@mantine/core";
import { useMergedRef } from "@mantine/hooks";
import { IconCheck } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";

import type { MenuEntry } from "./menu";
import type { MenuButtonProps } from "./MenuButton";

interface Props extends MenuButtonProps {
  /** What was done with the button that stood here until the menu arrived. */
  focused: boolean;
  clicked: boolean;
}

/** The button with its menu; `MenuButton` stands in its place until somebody comes near. */
export default function OpenMenu({ label, icon, items, heading, button, focused, clicked, ...looks }: Props) {
  const own = useRef<HTMLButtonElement>(null);
  const ref = useMergedRef(own, button ?? null);
  const [opened, setOpened] = useState(false);
  const before = useRef({ focused, clicked });
  useEffect(() => {
    if (!before.current.focused) return undefined;
    own.current?.focus(); // first, so that closing gives the focus back to it
    if (!before.current.clicked) return undefined;
    const opening = requestAnimationFrame(() => setOpened(true));
    return () => cancelAnimationFrame(opening);
  }, []);
  return (
    <Menu position="bottom-end" withinPortal={false} opened={opened} onChange={setOpened}>
      <Menu.Target>
        <ActionIcon variant="subtle" {...looks} ref={ref} aria-label={label}>
          {icon}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {heading !== undefined && (
          <Menu.Label>
            <Text size="sm" truncate maw={220}>
              {heading}
            </Text>
          </Menu.Label>
        )}
        {items.map((item) => (
          <Item key={item.name} {...item} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Item({ name, Icon, chosen, apart, href, onClick }: MenuEntry) {
  const sections = {
    leftSection: Icon !== undefined && <Icon size={16} aria-hidden />,
    rightSection: chosen === true && <IconCheck size={16} aria-hidden />,
  };
  return (
    <>
      {apart === true && <Menu.Divider />}
      {href === undefined ? (
        <Menu.Item {...sections} {...(onClick !== undefined && { onClick })}>
          {name}
        </Menu.Item>
      ) : (
        <Menu.Item {...sections} component={Link} href={href}>
          {name}
        </Menu.Item>
      )}
    </>
  );
}
