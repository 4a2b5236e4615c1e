import { useEffect, useState } from "react";

/**
 * Whether something is in the page by now. What is fetched on demand opens only then: while it opens, it remembers where
 * the focus was.
 */
export function useArrived(): boolean {
  const [arrived, setArrived] = useState(false);
  useEffect(() => {
    const frame = requestAnimationFrame(() => setArrived(true));
    return () => cancelAnimationFrame(frame);
  }, []);
  return arrived;
}
