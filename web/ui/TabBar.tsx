import { type KeyboardEvent, type ReactNode, useRef } from "react";
import styles from "./TabBar.module.css";

/** The element id of a tab's button. */
export const tabId = (bar: string, tab: string): string => `${bar}-tab-${tab}`;

const panelId = (bar: string, tab: string): string => `${bar}-panel-${tab}`;

export interface TabItem<T extends string> {
  readonly id: T;
  readonly label: string;
  readonly icon: ReactNode;
  /** A count on the tab and its unit: {count: 3, label: "unread"}. Hidden at 0. */
  readonly badge?: { readonly count: number; readonly label: string } | undefined;
}

export interface TabBarProps<T extends string> {
  readonly label: string;
  /** Connects the bar to its panels; each TabPanel has the same name as its `bar`. */
  readonly name: string;
  readonly tabs: readonly TabItem<T>[];
  readonly selected: T;
  readonly onSelect: (id: T) => void;
  /** Called when a tab is hovered or focused, before it is selected, for example to prefetch its code. */
  readonly onIntent?: ((id: T) => void) | undefined;
}

const neighborIndex = (key: string, at: number, count: number): number | undefined => {
  if (key === "ArrowRight") return (at + 1) % count;
  if (key === "ArrowLeft") return (at - 1 + count) % count;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  return undefined;
};

/**
 * The tab list of a page: a line of labels on a wide screen, a bar with icons at the lower edge below 768 px. It is one
 * Tab stop; the arrow keys, Home and End select a tab (WAI-ARIA APG, tabs with automatic activation).
 */
export const TabBar = <T extends string>({
  label,
  name,
  tabs,
  selected,
  onSelect,
  onIntent,
}: TabBarProps<T>) => {
  const list = useRef<HTMLDivElement>(null);

  const move = (event: KeyboardEvent): void => {
    const at = tabs.findIndex((tab) => tab.id === selected);
    const to = neighborIndex(event.key, at, tabs.length);
    const target = to === undefined ? undefined : tabs[to];
    if (to === undefined || target === undefined) return;
    event.preventDefault();
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[to]?.focus();
    onSelect(target.id);
  };

  return (
    <div className={styles.bar} role="tablist" aria-label={label} aria-orientation="horizontal" ref={list}>
      {tabs.map((tab) => {
        const isSelected = tab.id === selected;
        const hasBadge = tab.badge !== undefined && tab.badge.count > 0;
        return (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={tabId(name, tab.id)}
            aria-selected={isSelected}
            aria-controls={isSelected ? panelId(name, tab.id) : undefined}
            tabIndex={isSelected ? 0 : -1}
            className={styles.tab}
            onClick={() => onSelect(tab.id)}
            onKeyDown={move}
            onPointerEnter={() => onIntent?.(tab.id)}
            onFocus={() => onIntent?.(tab.id)}
          >
            <span className={styles.icon}>{tab.icon}</span>
            <span className={styles.label}>{tab.label}</span>
            {hasBadge && (
              <>
                {" "}
                <span className={styles.badge}>
                  {tab.badge?.count} <span className="visually-hidden">{tab.badge?.label}</span>
                </span>
              </>
            )}
          </button>
        );
      })}
    </div>
  );
};

export interface TabPanelProps {
  readonly bar: string;
  readonly tab: string;
  readonly children: ReactNode;
  readonly className?: string | undefined;
}

/** The content of the selected tab, labeled by the tab. Render it for the selected tab only. */
export const TabPanel = ({ bar, tab, children, className }: TabPanelProps) => (
  <div role="tabpanel" id={panelId(bar, tab)} aria-labelledby={tabId(bar, tab)} className={className}>
    {children}
  </div>
);
