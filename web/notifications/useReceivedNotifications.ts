import { useEffect } from "react";
import { useApp } from "../binding/useApp.ts";

/** What another script of the page says to show a notification here (RT3); the notification is its `detail`. */
const received = "notification:received";

/** Takes notifications that reach the page otherwise than over the socket. */
export const useReceivedNotifications = (): void => {
  const { notifications } = useApp();
  useEffect(() => {
    const take = (event: Event): void => {
      if (event instanceof CustomEvent) notifications.receive(event.detail);
    };
    window.addEventListener(received, take);
    return () => window.removeEventListener(received, take);
  }, [notifications]);
};
