import { type RefObject, useEffect, useRef } from "react";
import { GuardedDialog } from "../../loading/Guarded.tsx";
import { useFocusLoss, useLazyOpening } from "../../loading/useOpening.ts";
import { addressText } from "../../navigation/address.ts";
import { openPage } from "../../navigation/goTo.ts";
import { useAction } from "../../react/useAction.ts";
import { useApp, useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { ButtonLink } from "../../ui/ButtonLink.tsx";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import { Skeleton, SkeletonRegion } from "../../ui/feedback/Skeleton.tsx";
import { BellIcon } from "../../ui/icons/BellIcon.tsx";
import { Popover } from "../../ui/overlay/Popover.tsx";
import { senderRuleDialog } from "../rules/form/CreateRule.tsx";
import { NotificationList } from "./NotificationList.tsx";
import styles from "./NotificationPanel.module.css";
import type { NotificationSender } from "./NotificationRow.tsx";

interface NotificationPanelProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly trigger: RefObject<HTMLElement | null>;
}

const NotificationsSkeleton = () => (
  <SkeletonRegion label="Loading notifications" className={styles.loading}>
    {["first", "second", "third"].map((row) => (
      <Skeleton key={row} height="row" shape="block" />
    ))}
  </SkeletonRegion>
);

/** The number of unread notifications and the button that marks all as read; the focus stays when the button disappears. */
const UnreadBar = () => {
  const { notifications } = useSignedIn();
  const { unread } = useObservable(notifications.view$);
  const bar = useRef<HTMLDivElement>(null);
  const text = useRef<HTMLSpanElement>(null);
  const markAllRead = useAction(notifications.markAllRead, {
    onSuccess: () => {
      if (bar.current?.contains(document.activeElement)) text.current?.focus();
    },
  });
  return (
    <div ref={bar} className={styles.bar}>
      <span ref={text} tabIndex={-1}>
        {unread === 0 ? "All read" : `${unread} unread`}
      </span>
      {(unread > 0 || markAllRead.isRunning) && (
        <Button
          size="small"
          variant="quiet"
          onPress={() => markAllRead.run()}
          isPending={markAllRead.isRunning}
        >
          Mark all as read
        </Button>
      )}
    </div>
  );
};

interface PanelContentProps {
  readonly onLeave: () => void;
  readonly onCreateRule: (sender: NotificationSender) => void;
}

const heldAddress = addressText(["held"]);

const PanelContent = ({ onLeave, onCreateRule }: PanelContentProps) => {
  const { notifications } = useSignedIn();
  const { status, message, list, leftOut } = useObservable(notifications.view$);
  const refresh = useAction(notifications.refresh);
  const { run: runRefresh } = refresh;
  useEffect(() => runRefresh(), [runRefresh]);

  const problem = status === "failed" ? message : refresh.problem?.message;
  return (
    <>
      {problem && (
        <div className={styles.bar} role="alert">
          <span>{problem}</span>
          <Button size="small" onPress={() => runRefresh()} isPending={refresh.isRunning}>
            Try Again
          </Button>
        </div>
      )}
      {leftOut !== "" && <p className={styles.bar}>{leftOut}</p>}
      {status === "loading" && <NotificationsSkeleton />}
      {status === "ready" && list.length === 0 && leftOut === "" && (
        <EmptyState title="No notifications" illustration={<BellIcon size={32} />}>
          News about your masks and your account appears here.
        </EmptyState>
      )}
      {list.length > 0 && (
        <>
          <div className={styles.bar}>
            <ButtonLink
              size="small"
              variant="quiet"
              href={heldAddress}
              onFollow={() => {
                onLeave();
                openPage(heldAddress);
              }}
            >
              Held mail
            </ButtonLink>
          </div>
          <UnreadBar />
          <NotificationList list={list} onLeave={onLeave} onCreateRule={onCreateRule} />
        </>
      )}
    </>
  );
};

/** The panel with the user's notifications. */
export const NotificationPanel = ({ isOpen, onClose, trigger }: NotificationPanelProps) => {
  const { page } = useApp();
  const isNarrow = useObservable(page.narrow$);
  const making = useLazyOpening<NotificationSender>(senderRuleDialog);
  const SenderRuleDialog = senderRuleDialog.loaded();
  const focus = useFocusLoss(making.isOpen, () => trigger.current?.focus());
  const closeRule = (): void => {
    focus.lose();
    making.close();
  };
  return (
    <>
      <Popover title="Notifications" isOpen={isOpen} onClose={onClose} trigger={trigger} isSheet={isNarrow}>
        <PanelContent
          onLeave={onClose}
          onCreateRule={(sender) => {
            onClose();
            making.open(sender);
          }}
        />
      </Popover>
      {SenderRuleDialog && making.opened && (
        <GuardedDialog key={making.opened.key} part="rule" onClose={closeRule}>
          <SenderRuleDialog
            maskId={making.opened.target.maskId}
            sender={making.opened.target}
            isOpen={making.isOpen}
            onClose={closeRule}
          />
        </GuardedDialog>
      )}
    </>
  );
};
