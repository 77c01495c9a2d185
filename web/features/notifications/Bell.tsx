import { useEffect, useRef } from "react";
import { createChunk } from "../../loading/chunk.ts";
import { GuardedDialog } from "../../loading/Guarded.tsx";
import { useLazyOpening } from "../../loading/useOpening.ts";
import { useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { BellIcon } from "../../ui/icons/BellIcon.tsx";
import styles from "./Bell.module.css";

/** The DOM event by which another script shows a notification (RT3); the notification is its `detail`. */
const receivedEvent = "notification:received";

/** Receives notifications from DOM events, in addition to those from the socket. */
export const useReceivedNotifications = (): void => {
  const { notifications } = useSignedIn();
  useEffect(() => {
    const handleEvent = (event: Event): void => {
      if (event instanceof CustomEvent) notifications.receive(event.detail);
    };
    window.addEventListener(receivedEvent, handleEvent);
    return () => window.removeEventListener(receivedEvent, handleEvent);
  }, [notifications]);
};

const panelChunk = createChunk(
  () => import("./NotificationPanel.tsx"),
  (module) => module.NotificationPanel,
);

/** The highest number shown; more is shown as "99+". */
const maxShownCount = 99;

const loadFailedText = "The notifications could not be loaded. Check your connection, then try again.";

const bellLabel = (unread: number): string =>
  unread === 0 ? "Notifications" : `Notifications, ${unread} unread`;

/** The button with the number of unread notifications, which opens the panel (NO1). */
export const Bell = () => {
  const { notifications } = useSignedIn();
  const { unread } = useObservable(notifications.view$);
  const trigger = useRef<HTMLButtonElement>(null);
  const { opened, isOpen, open, close } = useLazyOpening(panelChunk, loadFailedText);
  const Panel = panelChunk.loaded();

  return (
    <>
      <span className={styles.bell}>
        <IconButton
          ref={trigger}
          label={bellLabel(unread)}
          icon={<BellIcon />}
          onPress={() => (isOpen ? close() : open())}
          onPointerEnter={panelChunk.prefetch}
          onFocus={panelChunk.prefetch}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
        />
        {unread > 0 && (
          <span className={styles.count} aria-hidden="true">
            {unread > maxShownCount ? `${maxShownCount}+` : unread}
          </span>
        )}
      </span>
      {Panel && opened && (
        <GuardedDialog key={opened.key} part="notifications" onClose={close}>
          <Panel isOpen={isOpen} onClose={close} trigger={trigger} />
        </GuardedDialog>
      )}
    </>
  );
};
