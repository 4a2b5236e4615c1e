import { useEffect } from "react";

import { queries } from "./client";
import { fetchOtherLanguage } from "./i18n";
import { fetchAhead } from "@/shared/parts";

const LOOK_AGAIN_MILLISECONDS = 300;

const idle = (): Promise<void> =>
  new Promise((done) => {
    if ("requestIdleCallback" in window) requestIdleCallback(() => done());
    else setTimeout(done, LOOK_AGAIN_MILLISECONDS); // Safari has no such callback
  });

const pause = (): Promise<void> => new Promise((done) => setTimeout(done, LOOK_AGAIN_MILLISECONDS));

/**
 * Fetch the files of the other screens once this one has all it needs, and again when the server is back: from then on
 * no click needs the network to show a screen.
 *
 * @param connected whether the live stream is there.
 */
export function useFetchAhead(connected: boolean): void {
  useEffect(() => {
    let wanted = true;
    const fetchWhenCalm = async () => {
      do {
        await pause();
        await idle();
      } while (wanted && queries.isFetching() > 0);
      // What cannot be had now is asked for when the stream is back, or when somebody goes there.
      if (wanted) await Promise.allSettled([fetchAhead(), fetchOtherLanguage()]);
    };
    void fetchWhenCalm();
    return () => {
      wanted = false;
    };
  }, [connected]);
}
