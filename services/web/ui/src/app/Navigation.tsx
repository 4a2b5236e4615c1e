import { Badge, NavLink, UnstyledButton } from "@mantine/core";
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
    <nav aria-label={t("navigation")} className={narrow ? classes.bar : undefined}>
      {PLACES.map(({ path, name, Icon }) => {
        const here = location === path || location.startsWith(`${path}/`);
        const count = name === "memories" ? waiting : 0;
        return narrow ? (
          <UnstyledButton
            key={path}
            component={Link}
            href={path}
            className={classes.place}
            data-here={here || undefined}
            aria-current={here ? "page" : undefined}
          >
            <Icon size={22} aria-hidden />
            <span>{t(`places.${name}.short`)}</span>
            {count > 0 && <span className={classes.dot} role="img" aria-label={t("waiting", { count })} />}
          </UnstyledButton>
        ) : (
          <NavLink
            key={path}
            component={Link}
            href={path}
            active={here}
            aria-current={here ? "page" : undefined}
            label={t(`places.${name}.long`)}
            leftSection={<Icon size={20} aria-hidden />}
            rightSection={
              count > 0 && (
                <Badge size="sm" variant="filled" aria-label={t("waiting", { count })}>
                  {count}
                </Badge>
              )
            }
          />
        );
      })}
    </nav>
  );
}
