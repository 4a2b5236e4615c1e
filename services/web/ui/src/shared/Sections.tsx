import { Link } from "wouter";

import classes from "./Sections.module.css";

export interface Section {
  href: string;
  name: string;
  here: boolean;
}

interface Props {
  label: string;
  sections: readonly Section[];
  /** Whether what follows stands close. */
  close?: boolean;
}

/** The parts of a screen, each with an address of its own. */
export const Sections = ({ label, sections, close = false }: Props) => (
  <nav className={classes.sections} data-close={close || undefined} aria-label={label}>
    {sections.map(({ href, name, here }) => (
      <Link key={href} href={href} className={classes.section} aria-current={here ? "page" : undefined}>
        {name}
      </Link>
    ))}
  </nav>
);
