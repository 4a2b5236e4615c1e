import { ActionIcon, type ActionIconProps } from "@mantine/core";
import { useMergedRef } from "@mantine/hooks";
import { type ReactNode, type RefObject, startTransition, useId, useRef, useState } from "react";

import type { MenuEntry } from "./menu";
import { OnDemand } from "./OnDemand";
import { part } from "./parts";

const Menu = part(async () => ({ default: (await import("@/later")).OpenMenu }));

interface MenuButtonProps extends ActionIconProps {
  label: string;
  icon: ReactNode;
  items: readonly MenuEntry[];
  /** What stands above the items, not to be chosen. */
  heading?: string | undefined;
  button?: RefObject<HTMLButtonElement | null>;
}

/** A button that opens a menu. The menu itself is fetched when somebody comes near; the button stays what it is. */
export function MenuButton({ label, icon, items, heading, button, ...looks }: MenuButtonProps) {
  const id = useId();
  const own = useRef<HTMLButtonElement>(null);
  const ref = useMergedRef(own, button ?? null);
  const [near, setNear] = useState(false);
  const [opened, setOpened] = useState(false);
  const come = () => startTransition(() => setNear(true));
  return (
    <>
      <ActionIcon
        variant="subtle"
        {...looks}
        ref={ref}
        id={id}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={opened}
        aria-controls={opened ? `${id}-dropdown` : undefined}
        onPointerEnter={come}
        onFocus={come}
        onClick={() => {
          own.current?.focus(); // not every browser does; closing gives the focus back to it
          come();
          setOpened(!opened);
        }}
      >
        {icon}
      </ActionIcon>
      {near && (
        <OnDemand
          onFailed={() => {
            setNear(false);
            setOpened(false);
          }}
        >
          <Menu id={id} button={own} opened={opened} onChange={setOpened} items={items} heading={heading} />
        </OnDemand>
      )}
    </>
  );
}
