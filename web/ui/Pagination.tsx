import { type MouseEvent, type RefObject, useEffect, useRef } from "react";
import { ChevronLeftIcon } from "./icons/ChevronLeftIcon.tsx";
import { ChevronRightIcon } from "./icons/ChevronRightIcon.tsx";
import styles from "./Pagination.module.css";
import { VisuallyHidden } from "./VisuallyHidden.tsx";

/** A page number, or a gap between page numbers; the two gaps differ so that each is a unique key. */
export type PageEntry = number | "gap-before" | "gap-after";

const span = (from: number, to: number): readonly number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);

/**
 * The page buttons to show: the first, the last, the current page and its neighbors. At most seven entries; a gap always
 * replaces at least two pages, and both ends show as many entries as the middle.
 */
export const pageNumbers = (page: number, pageCount: number): readonly PageEntry[] => {
  if (pageCount <= 7) return span(1, pageCount);
  if (page <= 4) return [...span(1, 5), "gap-after", pageCount];
  if (page >= pageCount - 3) return [1, "gap-before", ...span(pageCount - 4, pageCount)];
  return [1, "gap-before", page - 1, page, page + 1, "gap-after", pageCount];
};

export interface PaginationProps {
  /** The current page, counted from 1. */
  readonly page: number;
  readonly pageCount: number;
  readonly onChange: (page: number) => void;
  readonly label?: string | undefined;
  /** The list that the pages are of: its start comes into view after a step, unless it is there already. */
  readonly list: RefObject<HTMLElement | null>;
}

/**
 * Navigation through pages. Screen readers announce "Page 2 of 5" when the page changes. At either end the step button
 * stays focusable but disabled, so that the keyboard focus is kept. Renders nothing for a single page.
 */
export const Pagination = ({ page, pageCount, onChange, label = "Pages", list }: PaginationProps) => {
  const isStep = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list shows another page
  useEffect(() => {
    if (!isStep.current) return;
    isStep.current = false;
    const start = list.current;
    if (start && start.getBoundingClientRect().top < 0) start.scrollIntoView({ block: "start" });
  }, [page, list]);
  if (pageCount <= 1) return null;

  const step = (to: number) => (event: MouseEvent) => {
    event.preventDefault();
    if (to < 1 || to > pageCount || to === page) return;
    isStep.current = true;
    onChange(to);
  };

  return (
    <nav className={styles.pagination} aria-label={label}>
      <button
        type="button"
        className={styles.step}
        aria-label="Previous page"
        aria-disabled={page <= 1 || undefined}
        onClick={step(page - 1)}
      >
        <ChevronLeftIcon />
      </button>
      <ol className={styles.pages}>
        {pageNumbers(page, pageCount).map((entry) =>
          typeof entry === "string" ? (
            <li key={entry} className={styles.gap} aria-hidden="true">
              …
            </li>
          ) : (
            <li key={entry}>
              <button
                type="button"
                className={styles.page}
                aria-label={`Page ${entry}`}
                aria-current={entry === page ? "page" : undefined}
                onClick={step(entry)}
              >
                {entry}
              </button>
            </li>
          ),
        )}
      </ol>
      <button
        type="button"
        className={styles.step}
        aria-label="Next page"
        aria-disabled={page >= pageCount || undefined}
        onClick={step(page + 1)}
      >
        <ChevronRightIcon />
      </button>
      <div role="status">
        <VisuallyHidden>
          Page {page} of {pageCount}
        </VisuallyHidden>
      </div>
    </nav>
  );
};
