import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { App } from "../../core/app.ts";
import styles from "./NotificationList.module.css";
import { NotificationRow } from "./NotificationRow.tsx";

type Shown = App["notifications"]["view$"]["value"]["list"][number];

/** "5 minutes ago" is looked at again this often. */
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

/** Moves the focus to the same button of another row; false when the key is none of ours. */
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

/**
 * Notifications, the newest first. Up, Down, Home and End go from row to row; the focus of a row that is gone passes
 * to the one in its place.
 */
export const NotificationList = ({ list }: { readonly list: readonly Shown[] }) => {
  const element = useRef<HTMLUListElement>(null);
  const focusedRow = useRef(-1);
  const now = useNow();

  // biome-ignore lint/correctness/useExhaustiveDependencies: a row that is gone has taken the focus with it
  useEffect(() => {
    const { current: rows } = element;
    if (rows === null || focusedRow.current < 0 || rows.contains(document.activeElement)) return;
    const row = rows.children[Math.min(focusedRow.current, rows.children.length - 1)];
    buttonsIn(row).at(-1)?.focus();
  }, [list]);

  const remember = (): void => {
    const rows = [...(element.current?.children ?? [])];
    focusedRow.current = rows.findIndex((row) => row.contains(document.activeElement));
  };
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    if (moveFocus(event.currentTarget, event.key)) event.preventDefault();
  };

  return (
    <ul
      ref={element}
      className={styles.list}
      onKeyDown={press}
      onFocus={remember}
      onBlur={(event) => {
        if (event.relatedTarget !== null) focusedRow.current = -1;
      }}
    >
      {list.map((notification) => (
        <NotificationRow key={notification.id} notification={notification} now={now} />
      ))}
    </ul>
  );
};
