import { useNotifications } from "@mantine/notifications";
import { lazy, Suspense, useState } from "react";

const ToastContainer = lazy(() => import("./ToastContainer"));

/** Short news at the bottom; what shows them is fetched with the first, and stays. */
export function Toasts() {
  const { notifications, queue } = useNotifications();
  const [needed, setNeeded] = useState(false);
  if (!needed && notifications.length + queue.length > 0) setNeeded(true);
  if (!needed) return null;
  return (
    <Suspense fallback={null}>
      <ToastContainer />
    </Suspense>
  );
}
