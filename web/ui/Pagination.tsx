import { type MouseEvent, useRef } from "react";
import { ChevronLeftIcon } from "./icons/ChevronLeftIcon.tsx";
import { ChevronRightIcon } from "./icons/ChevronRightIcon.tsx";
import styles from "./Pagination.module.css";
import { pageNumbers } from "./pageNumbers.ts";
import { VisuallyHidden } from "./VisuallyHidden.tsx";

export interface PaginationProps {
  /** The page shown, from 1. */
  readonly page: number;
  readonly pageCount: number;
  readonly onChange: (page: number) => void;
  readonly label?: string | undefined;
}

/**
 * The way through a list of pages. "Page 2 of 5" is spoken when the page changes; at either end the step beyond stays
 * focusable and says that it is not available, so the keyboard never loses its place. One page needs none: renders nothing.
 */
export const Pagination = ({ page, pageCount, onChange, label = "Pages" }: PaginationProps) => {
  const nav = useRef<HTMLElement>(null);
  if (pageCount <= 1) return null;

  const step = (to: number) => (event: MouseEvent) => {
    event.preventDefault();
    if (to >= 1 && to <= pageCount) onChange(to);
  };

  return (
    <nav className={styles.pagination} aria-label={label} ref={nav}>
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
