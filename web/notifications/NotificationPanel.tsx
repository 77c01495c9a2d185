import { type RefObject, useEffect, useRef } from "react";
import { useAction } from "../binding/useAction.ts";
import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { Button } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { BellIcon } from "../ui/icons/BellIcon.tsx";
import { PopupPanel } from "../ui/PopupPanel.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { SkeletonRegion } from "../ui/SkeletonRegion.tsx";
import { NotificationList } from "./NotificationList.tsx";
import styles from "./NotificationPanel.module.css";

interface NotificationPanelProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly trigger: RefObject<HTMLElement | null>;
}

const Loading = () => (
  <SkeletonRegion label="Loading notifications" className={styles.loading}>
    {["first", "second", "third"].map((row) => (
      <Skeleton key={row} height="3.5rem" shape="block" />
    ))}
  </SkeletonRegion>
);

/** How many are unread, and the way to have none: the focus stays when there is nothing to do any more. */
const UnreadBar = () => {
  const { notifications } = useApp();
  const { unread } = useObservable(notifications.view$);
  const bar = useRef<HTMLDivElement>(null);
  const text = useRef<HTMLSpanElement>(null);
  const readAll = useAction(notifications.markAllRead, {
    onSuccess: () => {
      if (bar.current?.contains(document.activeElement)) text.current?.focus();
    },
  });
  return (
    <div ref={bar} className={styles.bar}>
      <span ref={text} tabIndex={-1}>
        {unread === 0 ? "All read" : `${unread} unread`}
      </span>
      {(unread > 0 || readAll.isRunning) && (
        <Button size="small" variant="quiet" onPress={() => readAll.run()} isPending={readAll.isRunning}>
          Mark all as read
        </Button>
      )}
    </div>
  );
};

const Contents = () => {
  const { notifications } = useApp();
  const { status, sentence, list } = useObservable(notifications.view$);
  const refresh = useAction(notifications.refresh);
  const { run: ask } = refresh;
  useEffect(() => ask(), [ask]);

  const problem = status === "failed" ? sentence : refresh.problem?.sentence;
  return (
    <>
      {problem && (
        <div className={styles.bar} role="alert">
          <span>{problem}</span>
          <Button size="small" onPress={() => ask()} isPending={refresh.isRunning}>
            Try Again
          </Button>
        </div>
      )}
      {status === "loading" && <Loading />}
      {status === "ready" && list.length === 0 && (
        <EmptyState title="No notifications" illustration={<BellIcon size={32} />}>
          What happens to your masks and your account is told here.
        </EmptyState>
      )}
      {list.length > 0 && (
        <>
          <UnreadBar />
          <NotificationList list={list} />
        </>
      )}
    </>
  );
};

/** The notifications of whoever is signed in, over the page. */
export const NotificationPanel = ({ isOpen, onClose, trigger }: NotificationPanelProps) => {
  const { page } = useApp();
  const isNarrow = useObservable(page.narrow$);
  return (
    <PopupPanel title="Notifications" isOpen={isOpen} onClose={onClose} trigger={trigger} isSheet={isNarrow}>
      <Contents />
    </PopupPanel>
  );
};
