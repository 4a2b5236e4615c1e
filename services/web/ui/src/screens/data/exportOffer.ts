import { navigate } from "wouter/use-browser-location";

/*
 * Whoever is about to forget everything may export first, and comes back to where they were. The history's entries
 * remember both: the one of the export that somebody came from there, the other what had the focus.
 */

interface Left {
  offer?: "export" | "taken";
}

const stateNow = (): Left | null => history.state as Left | null;

/** Go to the export of everything; whoever comes back, by whatever way, finds the offer focused. */
export function goExport(): void {
  navigate(location.pathname, { replace: true, state: { offer: "taken" } satisfies Left });
  navigate("/data/export", { state: { offer: "export" } satisfies Left });
}

/** Whether somebody came to the export from the offer. */
export const cameFromForgetting = (): boolean => stateNow()?.offer === "export";

/** Go back to where the offer stands. */
export const backFromExport = (): void => history.back();

/** Whether the offer was taken and somebody has come back; true once. */
export function isBackAtOffer(): boolean {
  const back = stateNow()?.offer === "taken";
  if (back) history.replaceState(null, "");
  return back;
}
