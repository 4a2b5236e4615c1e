import { Menu, Text } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { type Ref, type RefObject, useImperativeHandle } from "react";
import { Link } from "wouter";

import type { MenuEntry } from "./menu";
import { useArrived } from "./useArrived";

interface Props {
  /** The button's; the menu is named after it. */
  id: string;
  button: RefObject<HTMLButtonElement | null>;
  opened: boolean;
  onChange: (opened: boolean) => void;
  items: readonly MenuEntry[];
  heading: string | undefined;
}

/** The menu of a `MenuButton`. */
export function OpenMenu({ id, button, opened, onChange, items, heading }: Props) {
  const arrived = useArrived();
  return (
    <Menu id={id} position="bottom-end" withinPortal={false} opened={opened && arrived} onChange={onChange}>
      <Menu.Target>
        <Beside button={button} />
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

/** Stands for a button that is there already: the menu opens beside it, and a press on it is not one elsewhere. */
function Beside({ button, ref }: { button: RefObject<HTMLButtonElement | null>; ref?: Ref<HTMLButtonElement | null> }) {
  useImperativeHandle<HTMLButtonElement | null, HTMLButtonElement | null>(ref, () => button.current, [button]);
  return null;
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
