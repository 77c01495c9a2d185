import { type RefObject, useLayoutEffect, useState } from "react";
import { flushSync } from "react-dom";

/** Rows are added and removed in groups, so that not every step of a scroll draws. */
const groupSize = 4;

/** Rows that are drawn before and after those on the screen. */
const spare = 12;

/** So long after its last step a scroll counts as over. */
const restMs = 120;

/** The height of a row in px where no row has been drawn. */
const assumedHeight = 32;

export interface WindowedRows {
  /** The first row that is drawn, from 0. */
  readonly from: number;
  /** The row after the last one that is drawn. */
  readonly to: number;
  /** The height of a row in px, for the space that stands for rows that are not drawn. */
  readonly rowHeight: number;
}

/** Returns the rows to draw of a list that begins `top` px below the upper edge of the window. */
const rowsInWindow = (count: number, top: number, rowHeight: number): WindowedRows => {
  const onScreen = Math.ceil(window.innerHeight / rowHeight);
  // Both ends move at the same step of a scroll: each one that moves has the whole list laid out and painted.
  const first = Math.floor(-top / rowHeight / groupSize) * groupSize;
  const to = Math.min(count, Math.max(first + groupSize + onScreen + spare, 2 * spare));
  return { from: Math.min(Math.max(0, first - spare), Math.max(0, to - 2 * spare)), to, rowHeight };
};

/**
 * Returns which of `count` rows of equal height have to be drawn while the page scrolls. Rows are elements with
 * `data-row` in `body`, whose upper edge is that of the first row; it has `data-scrolling` while the page scrolls.
 */
export const useWindowedRows = (count: number, body: RefObject<HTMLElement | null>): WindowedRows => {
  const [rows, setRows] = useState(() => rowsInWindow(count, 0, assumedHeight));
  useLayoutEffect(() => {
    const element = body.current;
    if (element === null) return;
    const measureRow = (): number =>
      element.querySelector("[data-row]")?.getBoundingClientRect().height || assumedHeight;
    const update = (): void => {
      const rowsNow = rowsInWindow(count, element.getBoundingClientRect().top, measureRow());
      setRows((before) => {
        const { from, to, rowHeight } = rowsNow;
        const isSame = before.from === from && before.to === to && before.rowHeight === rowHeight;
        return isSame ? before : rowsNow;
      });
    };
    let rest: ReturnType<typeof setTimeout> | undefined;
    const scroll = (): void => {
      element.dataset["scrolling"] = "";
      clearTimeout(rest);
      rest = setTimeout(() => delete element.dataset["scrolling"], restMs);
      update();
    };
    /** Paper gets all rows; the browser takes its picture when this has returned. */
    const print = (): void => flushSync(() => setRows({ from: 0, to: count, rowHeight: measureRow() }));
    update();
    // A narrow screen has higher rows, which come after the event of the window.
    const observer = new ResizeObserver(update);
    observer.observe(element);
    window.addEventListener("beforeprint", print);
    window.addEventListener("afterprint", update);
    window.addEventListener("scroll", scroll, { passive: true });
    window.addEventListener("resize", update);
    return () => {
      clearTimeout(rest);
      window.removeEventListener("beforeprint", print);
      window.removeEventListener("afterprint", update);
      window.removeEventListener("scroll", scroll);
      window.removeEventListener("resize", update);
      observer.disconnect();
    };
  }, [count, body]);
  return { ...rows, from: Math.min(rows.from, Math.max(0, count - 1)), to: Math.min(rows.to, count) };
};
