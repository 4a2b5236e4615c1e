import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * For a list whose entries go away when their buttons are pressed: whoever uses the keyboard goes on at the entry that
 * took the place.
 */
export function useKeptFocus<Element extends HTMLElement>(): RefObject<Element | null> {
  const list = useRef<Element>(null);
  const held = useRef<number>(-1);
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    const remember = ({ target }: FocusEvent) => {
      held.current = [...element.children].findIndex((entry) => entry.contains(target as Node));
    };
    // Gone elsewhere by the person's own doing; when a focused element is removed, nothing gets the focus.
    const release = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof Node && !element.contains(relatedTarget)) held.current = -1;
    };
    element.addEventListener("focusin", remember);
    element.addEventListener("focusout", release);
    return () => {
      element.removeEventListener("focusin", remember);
      element.removeEventListener("focusout", release);
    };
  }, []);
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null || held.current < 0 || document.activeElement !== document.body) return;
    const next = element.children[Math.min(held.current, element.children.length - 1)];
    next?.querySelector<HTMLElement>("button")?.focus({ preventScroll: true });
  });
  return list;
}
