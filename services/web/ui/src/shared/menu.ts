import type { TablerIcon } from "@tabler/icons-react";

/** One line of a menu: something to do, or a place to go to. */
export interface MenuEntry {
  name: string;
  Icon?: TablerIcon;
  /** Whether it is the one chosen among those that exclude each other. */
  chosen?: boolean;
  /** A line stands above it. */
  apart?: boolean;
  href?: string;
  onClick?: () => void;
}
