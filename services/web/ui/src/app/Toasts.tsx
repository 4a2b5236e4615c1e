import { Notifications } from "@mantine/notifications";

/** Short news at the bottom. Never fetched on demand: they also say that something cannot be fetched. */
export const Toasts = () => <Notifications position="bottom-center" autoClose={8000} />;
