/** A rectangle in CSS pixels from the upper left corner of the window. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The place of toasts: their distance from the lower edge of the window, and the side they keep to. */
export interface ToastPlace {
  readonly bottom: number;
  readonly side: "end" | "start";
  /** The shares of the controls that they cover, added up: 1 is a whole control; 0 means that they cover none. */
  readonly covered: number;
}

type Corner = Omit<ToastPlace, "covered">;

interface Room {
  readonly window: { readonly width: number; readonly height: number };
  /** The least distance from the edges of the window. */
  readonly margins: { readonly side: number; readonly bottom: number };
  readonly toasts: { readonly width: number; readonly height: number };
  readonly controls: readonly Box[];
}

/** The distance between a toast and a control above or below it. */
const gap = 4;

/**
 * Returns how much of a control a box covers, from 0 to 1: a wide control can still be pressed beside it, a switch below
 * it cannot.
 */
export const coveredShare = (one: Box, control: Box): number => {
  const left = control.left - gap;
  const right = control.right + gap;
  const top = control.top - gap;
  const bottom = control.bottom + gap;
  const width = Math.min(one.right, right) - Math.max(one.left, left);
  const height = Math.min(one.bottom, bottom) - Math.max(one.top, top);
  return (Math.max(0, width) * Math.max(0, height)) / ((right - left) * (bottom - top));
};

const boxAt = ({ window, margins, toasts }: Room, { bottom, side }: Corner): Box => {
  const left = side === "start" ? margins.side : window.width - margins.side - toasts.width;
  const top = window.height - bottom - toasts.height;
  return { left, top, right: left + toasts.width, bottom: top + toasts.height };
};

/** Returns the lowest place where toasts cover no control; when there is none, the one where they cover least. */
export const findToastPlace = (room: Room): ToastPlace => {
  const { window, margins, toasts, controls } = room;
  const lowest = [margins.bottom, ...controls.map(({ top }) => window.height - top + gap)]
    .filter((bottom) => bottom >= margins.bottom && bottom + toasts.height <= window.height)
    .sort((one, other) => one - other);
  const corners = lowest.flatMap((bottom): readonly Corner[] => [
    { bottom, side: "end" },
    { bottom, side: "start" },
  ]);
  const coveredAt = (corner: Corner): number => {
    const box = boxAt(room, corner);
    return controls.reduce((sum, control) => sum + coveredShare(box, control), 0);
  };
  return corners
    .map((corner): ToastPlace => ({ ...corner, covered: coveredAt(corner) }))
    .reduce((best, place) => (place.covered < best.covered ? place : best), {
      bottom: margins.bottom,
      side: "end",
      covered: Number.POSITIVE_INFINITY,
    });
};

/** Selects what toasts must not cover: controls, and what is marked, such as the logo. */
const controlSelector =
  '[data-keep-clear], a[href], button, input, select, textarea, summary, label:has(input), [tabindex]:not([tabindex="-1"])';

/** Returns the visible controls of the page, or of the dialog that is open; those within `except` are left out. */
export const visibleControls = (except: Element): readonly Box[] => {
  const dialogs = document.querySelectorAll('[role="dialog"], [role="alertdialog"]');
  const root = dialogs[dialogs.length - 1] ?? document;
  return [...root.querySelectorAll(controlSelector)]
    .filter((control) => !except.contains(control))
    .map((control) => control.getBoundingClientRect())
    .filter(
      ({ width, height, top, bottom }) =>
        width > 0 && height > 0 && bottom > 0 && top < document.documentElement.clientHeight,
    );
};
