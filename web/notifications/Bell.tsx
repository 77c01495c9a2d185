import { useRef } from "react";
import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { makeChunk } from "../loading/chunk.ts";
import { useLateOpening } from "../loading/useLateOpening.ts";
import { IconButton } from "../ui/IconButton.tsx";
import { BellIcon } from "../ui/icons/BellIcon.tsx";
import styles from "./Bell.module.css";

const panelChunk = makeChunk(
  () => import("./NotificationPanel.tsx"),
  (module) => module.NotificationPanel,
);

/** More than this are "99+": the exact number says nothing more. */
const mostCounted = 99;

const notLoaded = "The notifications could not be loaded. Check your connection, then try again.";

const nameWith = (unread: number): string =>
  unread === 0 ? "Notifications" : `Notifications, ${unread} unread`;

/** How many notifications wait to be read, and the way to them (NO1). */
export const Bell = () => {
  const { notifications } = useApp();
  const { unread } = useObservable(notifications.view$);
  const trigger = useRef<HTMLButtonElement>(null);
  const { wanted, isOpen, open, close } = useLateOpening(panelChunk, notLoaded);
  const Panel = panelChunk.loaded();

  return (
    <>
      <span className={styles.bell}>
        <IconButton
          ref={trigger}
          label={nameWith(unread)}
          icon={<BellIcon />}
          onPress={() => (isOpen ? close() : open())}
          onPointerEnter={panelChunk.prefetch}
          onFocus={panelChunk.prefetch}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
        />
        {unread > 0 && (
          <span className={styles.count} aria-hidden="true">
            {unread > mostCounted ? `${mostCounted}+` : unread}
          </span>
        )}
      </span>
      {Panel && wanted && <Panel isOpen={isOpen} onClose={close} trigger={trigger} />}
    </>
  );
};
