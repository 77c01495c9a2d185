import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { SignedIn } from "../../../core/app/signedIn.ts";
import styles from "./NotificationList.module.css";
import { NotificationRow, type NotificationSender } from "./NotificationRow.tsx";

type NotificationItem = SignedIn["notifications"]["view$"]["value"]["list"][number];

/** The interval at which relative times such as "5 minutes ago" are refreshed. */
const tickMs = 30_000;

const useNow = (): number => {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const ticking = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(ticking);
  }, []);
  return now;
};

const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
};

const buttonsIn = (row: Element | undefined): readonly HTMLElement[] => [
  ...(row?.querySelectorAll<HTMLElement>("button") ?? []),
];

/** Moves the focus to the same button of another row; returns false for other keys. */
const moveFocus = (list: HTMLElement, key: string): boolean => {
  const step = steps[key];
  const rows = [...list.children];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  if (step === undefined || at < 0) return false;
  const column = buttonsIn(rows[at]).indexOf(document.activeElement as HTMLElement);
  const buttons = buttonsIn(rows[step(at, rows.length - 1)]);
  (buttons[buttons.length === 1 ? 0 : column] ?? buttons.at(-1))?.focus();
  return true;
};

interface NotificationListProps {
  readonly list: readonly NotificationItem[];
  /** Called before a notification leads to another page. */
  readonly onLeave: () => void;
  readonly onCreateRule: (sender: NotificationSender) => void;
}

/** The notifications, newest first. Up, Down, Home and End move the focus; a removed row passes it to the next. */
export const NotificationList = ({ list, onLeave, onCreateRule }: NotificationListProps) => {
  const element = useRef<HTMLUListElement>(null);
  const focusedRow = useRef(-1);
  const now = useNow();

  // biome-ignore lint/correctness/useExhaustiveDependencies: a removed row has lost the focus
  useEffect(() => {
    const { current: rows } = element;
    if (rows === null || focusedRow.current < 0 || rows.contains(document.activeElement)) return;
    const row = rows.children[Math.min(focusedRow.current, rows.children.length - 1)];
    buttonsIn(row).at(-1)?.focus();
  }, [list]);

  const rememberFocusedRow = (): void => {
    const rows = [...(element.current?.children ?? [])];
    focusedRow.current = rows.findIndex((row) => row.contains(document.activeElement));
  };
  const handleKey = (event: KeyboardEvent<HTMLElement>): void => {
    if (moveFocus(event.currentTarget, event.key)) event.preventDefault();
  };

  return (
    <ul
      ref={element}
      className={styles.list}
      onKeyDown={handleKey}
      onFocus={rememberFocusedRow}
      onBlur={(event) => {
        if (event.relatedTarget !== null) focusedRow.current = -1;
      }}
    >
      {list.map((notification) => (
        <NotificationRow
          key={notification.id}
          notification={notification}
          now={now}
          onLeave={onLeave}
          onCreateRule={onCreateRule}
        />
      ))}
    </ul>
  );
};
