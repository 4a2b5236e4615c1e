import { type NotificationData, notifications, notificationsStore } from "@mantine/notifications";

/** The offer to undo the last thing that can still be undone. */
let offered: string | undefined;

/** Show a short message in place of the one before. An offer to undo stays beside it. */
export function toast(news: NotificationData): void {
  for (const { id } of notificationsStore.getState().notifications) {
    if (id !== undefined && id !== offered) notifications.hide(id);
  }
  notifications.show(news);
}

/** Offer to undo something, in place of all news and of the offer before; other news does not take it away. */
export function offer(news: NotificationData & { id: string }): void {
  offered = undefined;
  toast(news);
  offered = news.id;
}

/** Say what came of an offer, in its place; like all news it goes when there is other news. */
export function settle(id: string, message: string, milliseconds: number): void {
  if (offered === id) offered = undefined;
  notifications.update({ id, message, autoClose: milliseconds });
}
