import { type NotificationData, notifications } from "@mantine/notifications";

/** Say something short, in place of what was said before: one piece of news at a time. */
export function toast(news: NotificationData): void {
  notifications.clean();
  notifications.show(news);
}
