import {
  IconCheck,
  IconDots,
  IconEraser,
  IconHelpCircle,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  type TablerIcon,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";

import type { Acts } from "./acts";
import classes from "./CardActions.module.css";
import type { MemoryOut } from "@/client";
import { sentenceId } from "@/shared/memories/MemoryCard";
import { isNew } from "@/shared/memories/words";
import { MenuButton } from "@/shared/MenuButton";

interface Props {
  memory: MemoryOut;
  acts: Acts;
  /** Whether there is room for one button only; the rest goes into a menu. */
  narrow: boolean;
  /** Whether Why? is offered: not where it is answered already. */
  asksWhy?: boolean;
  /** The id of the element that says what the controls are about. */
  describedBy?: string;
}

interface Act {
  name: string;
  Icon: TablerIcon;
  run: () => void;
}

/** Keep, while it is new · Why? · Edit · Pause · Forget. What a newer wording replaced can only be looked at and forgotten. */
export function CardActions({ memory, acts, narrow, asksWhy = true, describedBy = sentenceId(memory) }: Props) {
  const { t } = useTranslation("memories");
  const why: Act = { name: t("act.why"), Icon: IconHelpCircle, run: () => acts.why(memory) };
  const edit: Act = { name: t("act.edit"), Icon: IconPencil, run: () => acts.edit(memory) };
  const pause: Act = memory.disabled
    ? { name: t("act.resume"), Icon: IconPlayerPlay, run: () => acts.pause(memory, false) }
    : { name: t("act.pause"), Icon: IconPlayerPause, run: () => acts.pause(memory, true) };
  const forget: Act = { name: t("act.forget"), Icon: IconEraser, run: () => acts.forget(memory) };
  const others = memory.validity === "superseded" ? [forget] : [edit, pause, forget];
  const keep: Act = { name: t("act.keep"), Icon: IconCheck, run: () => acts.keep(memory) };

  const button = ({ name, Icon, run }: Act) => (
    <button key={name} type="button" className={classes.act} aria-describedby={describedBy} onClick={run}>
      <Icon size={16} aria-hidden />
      {name}
    </button>
  );

  return (
    <div className={classes.acts} data-narrow={narrow || undefined}>
      {isNew(memory) && button(keep)}
      {asksWhy && button(why)}
      {narrow ? (
        <MenuButton
          label={t("act.more")}
          icon={<IconDots size={18} aria-hidden />}
          color="gray"
          size="md"
          aria-describedby={describedBy}
          items={others.map(({ name, Icon, run }) => ({ name, Icon, onClick: run }))}
        />
      ) : (
        others.map(button)
      )}
    </div>
  );
}
