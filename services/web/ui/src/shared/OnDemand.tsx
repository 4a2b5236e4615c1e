import { type ReactNode, Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";

import { Boundary, type BrokenProps } from "./Boundary";
import { NotFetched } from "./parts";
import { toast } from "./toast";

interface Props {
  /** It could not be opened, and that was said: it is closed again. */
  onFailed: () => void;
  /** What stands in while it comes. */
  fallback?: ReactNode;
  children: ReactNode;
}

/** Around what opens over a screen: when that fails, the screen stays, and a toast says so. */
export function OnDemand({ onFailed, fallback = null, children }: Props) {
  return (
    <Boundary broken={(failure) => <NotOpened {...failure} onFailed={onFailed} />}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </Boundary>
  );
}

function NotOpened({ error, again, onFailed }: BrokenProps & Pick<Props, "onFailed">) {
  const { t } = useTranslation();
  useEffect(() => {
    toast({
      id: "not-opened",
      message: error instanceof NotFetched ? t("broken.notOpened") : t("broken.faulty"),
      color: "gray",
    });
    onFailed();
    again();
  }, [error, again, onFailed, t]);
  return null;
}
