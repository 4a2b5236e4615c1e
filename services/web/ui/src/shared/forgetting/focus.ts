const WATCH_MILLISECONDS = 10_000;

/** What the focus should come back to: a menu's item stands for the button of its menu. */
export function openerNow(): HTMLElement | null {
  const active = document.activeElement;
  if (!(active instanceof HTMLElement) || active === document.body) return null;
  const button = active.closest("[role=menu]")?.getAttribute("aria-labelledby");
  return (button ? document.getElementById(button) : null) ?? active;
}

/** Give the focus back to what opened a dialog, and keep it on the screen when that is gone, now or soon. */
export function returnFocus(opener: HTMLElement | null): void {
  setTimeout(() => {
    if (!isLost()) return;
    if (opener?.isConnected) opener.focus({ preventScroll: true });
    keepFocus(opener);
  });
}

/** When `held` leaves the page within some seconds and takes the focus along, give it to the screen's heading. */
export function keepFocus(held: HTMLElement | null): void {
  if (!held?.isConnected) {
    if (isLost()) focusHeading();
    return;
  }
  const watch = new MutationObserver(() => {
    if (held.isConnected) return;
    watch.disconnect();
    if (isLost()) focusHeading();
  });
  watch.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => watch.disconnect(), WATCH_MILLISECONDS);
}

const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body;

function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>("main h1") ?? document.querySelector<HTMLElement>("main");
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
