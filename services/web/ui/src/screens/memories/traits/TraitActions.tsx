import {
  IconBriefcase,
  IconCheck,
  IconDots,
  IconHelpCircle,
  IconHome,
  IconPencil,
  IconSchool,
  IconTrash,
  IconUsers,
  IconWorld,
  IconX,
  type TablerIcon,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";

import classes from "../CardActions.module.css";
import type { TraitActs } from "./acts";
import { type Context, CONTEXTS } from "./words";
import type { TraitOut } from "@/client";
import type { MenuEntry } from "@/shared/menu";
import { MenuButton } from "@/shared/MenuButton";

interface Props {
  trait: TraitOut;
  acts: TraitActs;
  /** Whether Why? is offered: not where it is answered already. */
  asksWhy?: boolean;
  /** The id of the element that says what the controls are about. */
  describedBy: string;
}

const ICONS: Record<Context, TablerIcon> = {
  work: IconBriefcase,
  personal: IconHome,
  social: IconUsers,
  learning: IconSchool,
};

/** Why? · That's right · Not me; the rest is in a menu. */
export function TraitActions({ trait, acts, asksWhy = true, describedBy }: Props) {
  const { t } = useTranslation("traits");
  const edit: MenuEntry = { name: t("act.edit"), Icon: IconPencil, onClick: () => acts.edit(trait) };
  const places: MenuEntry[] = CONTEXTS.map((context, index) => ({
    name: t("act.only", { where: t(`context.${context}`) }),
    Icon: ICONS[context],
    chosen: trait.chosen_context === context,
    apart: index === 0,
    onClick: () => acts.confine(trait, context),
  }));
  const anywhere: MenuEntry = {
    name: t("act.anywhere"),
    Icon: IconWorld,
    chosen: trait.chosen_context === null,
    onClick: () => acts.confine(trait, null),
  };
  const forget: MenuEntry = { name: t("act.forget"), Icon: IconTrash, apart: true, onClick: () => acts.forget(trait) };
  // One that differs by context says already what holds where.
  const items = trait.context === "contextual" ? [edit, forget] : [edit, ...places, anywhere, forget];

  return (
    <div className={classes.acts} data-close>
      {asksWhy && (
        <Act name={t("act.why")} Icon={IconHelpCircle} describedBy={describedBy} onClick={() => acts.why(trait)} />
      )}
      <Act
        name={t("act.right")}
        Icon={IconCheck}
        describedBy={describedBy}
        pressed={trait.confirmed}
        onClick={() => acts.confirm(trait, !trait.confirmed)}
      />
      <Act name={t("act.notMe")} Icon={IconX} describedBy={describedBy} onClick={() => acts.forget(trait)} />
      <MenuButton
        label={t("act.more")}
        icon={<IconDots size={18} aria-hidden />}
        color="gray"
        size="md"
        aria-describedby={describedBy}
        items={items}
      />
    </div>
  );
}

interface ActProps {
  name: string;
  Icon: TablerIcon;
  describedBy: string;
  pressed?: boolean;
  onClick: () => void;
}

const Act = ({ name, Icon, describedBy, pressed, onClick }: ActProps) => (
  <button type="button" className={classes.act} aria-describedby={describedBy} aria-pressed={pressed} onClick={onClick}>
    <Icon size={16} aria-hidden />
    {name}
  </button>
);
