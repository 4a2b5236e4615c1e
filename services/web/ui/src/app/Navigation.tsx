import {
  IconDatabase,
  IconEye,
  IconMessageCircle,
  IconNotes,
  IconSettings,
  IconTimeline,
  type TablerIcon,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";

import classes from "./Navigation.module.css";
import { useWaitingCount } from "./overview";

const PLACES: readonly { path: string; name: string; Icon: TablerIcon }[] = [
  { path: "/chat", name: "chat", Icon: IconMessageCircle },
  { path: "/conversation", name: "conversation", Icon: IconTimeline },
  { path: "/memories", name: "memories", Icon: IconNotes },
  { path: "/sees", name: "sees", Icon: IconEye },
  { path: "/data", name: "data", Icon: IconDatabase },
  { path: "/settings", name: "settings", Icon: IconSettings },
];

/** The six places: a rail on the left, or a bar at the bottom when narrow. */
export function Navigation({ narrow = false }: { narrow?: boolean }) {
  const { t } = useTranslation();
  const [location] = useLocation();
  const waiting = useWaitingCount();
  return (
    <nav aria-label={t("navigation")} className={narrow ? classes.bar : classes.rail}>
      {PLACES.map(({ path, name, Icon }) => {
        const here = location === path || location.startsWith(`${path}/`);
        const count = name === "memories" ? waiting : 0;
        const waits = count > 0 && t("waiting", { count });
        return (
          <Link
            key={path}
            href={path}
            className={narrow ? classes.tab : classes.place}
            data-here={here || undefined}
            aria-current={here ? "page" : undefined}
          >
            <Icon size={narrow ? 22 : 20} aria-hidden />
            <span className={classes.name}>{narrow ? t(`places.${name}.short`) : t(`places.${name}.long`)}</span>
            {waits && (
              <span className={narrow ? classes.dot : classes.count} role="img" aria-label={waits}>
                {!narrow && count}
              </span>
            )}
          </Link>
        );
      })}
    </nav>
  );
}
