import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import classes from "./StatusDot.module.css";

type State = "well" | "catchingUp" | "degraded" | "damaged" | "unavailable" | "offline";

const QUIET: readonly string[] = ["", "ok", "starting", "unavailable", "unknown"];

async function readiness(): Promise<State> {
  const answer = await fetch("/readyz");
  const { status, parts } = (await answer.json()) as { status: string; parts: Record<string, string> };
  if (parts.ledger === "damaged") return "damaged";
  // A slow store makes everything look away: only a ledger that says why it refuses serves nobody.
  if (status === "unavailable" && !QUIET.includes(parts.ledger ?? "")) return "unavailable";
  return status === "ready" ? "well" : "degraded";
}

/** A quiet dot that says how the installation is, in words for whoever asks. */
export function StatusDot({ connected }: { connected: boolean }) {
  const { t } = useTranslation();
  const { data, isError } = useQuery({
    queryKey: ["readiness"],
    queryFn: readiness,
    refetchInterval: 10_000,
    retry: false,
  });
  const state: State = isError
    ? "offline"
    : (data ?? "catchingUp") === "well" && !connected
      ? "catchingUp"
      : (data ?? "catchingUp");
  const words = t(`state.${state}`);
  return (
    <button type="button" className={classes.button} title={words} aria-label={words}>
      <span className={classes.dot} data-state={state} />
    </button>
  );
}
