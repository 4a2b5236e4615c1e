import { ActionIcon, type ActionIconProps } from "@mantine/core";
import { lazy, type ReactNode, type RefObject, startTransition, Suspense, useState } from "react";

import type { MenuEntry } from "./menu";

const OpenMenu = lazy(() => import("./OpenMenu"));

export interface MenuButtonProps extends ActionIconProps {
  label: string;
  icon: ReactNode;
  items: readonly MenuEntry[];
  /** What stands above the items, not to be chosen. */
  heading?: string | undefined;
  button?: RefObject<HTMLButtonElement | null>;
}

/** A button that opens a menu. The menu itself is fetched when somebody comes near, and takes over focus and click. */
export function MenuButton({ items, heading, ...button }: MenuButtonProps) {
  const [near, setNear] = useState(false);
  const [focused, setFocused] = useState(false);
  const [clicked, setClicked] = useState(false);
  // In a transition what is there stays until the menu has arrived.
  const come = () => startTransition(() => setNear(true));
  if (near) {
    return (
      <Suspense>
        <OpenMenu {...button} items={items} heading={heading} focused={focused || clicked} clicked={clicked} />
      </Suspense>
    );
  }
  const { label, icon, button: ref, ...looks } = button;
  return (
    <ActionIcon
      variant="subtle"
      {...looks}
      ref={ref}
      aria-label={label}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={come}
      onFocus={() => {
        setFocused(true);
        come();
      }}
      onBlur={() => setFocused(false)}
      onClick={() => {
        setClicked(true);
        come();
      }}
    >
      {icon}
    </ActionIcon>
  );
}
