/** A rectangle in CSS pixels from the upper left corner of the window. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Where toasts stand: their distance from the lower edge of the window, and the side they keep to. */
export interface ToastPlace {
  readonly bottom: number;
  readonly side: "end" | "start";
}

interface Room {
  readonly window: { readonly width: number; readonly height: number };
  /** The least distance from the edges of the window. */
  readonly margins: { readonly side: number; readonly bottom: number };
  readonly toasts: { readonly width: number; readonly height: number };
  /** What must not be covered. */
  readonly controls: readonly Box[];
}

/** The distance between a toast and a control above or below it. */
const gap = 4;

const isOverlapping = (one: Box, other: Box): boolean =>
  one.left < other.right + gap &&
  other.left < one.right + gap &&
  one.top < other.bottom + gap &&
  other.top < one.bottom + gap;

const boxAt = ({ window, margins, toasts }: Room, { bottom, side }: ToastPlace): Box => {
  const left = side === "start" ? margins.side : window.width - margins.side - toasts.width;
  const top = window.height - bottom - toasts.height;
  return { left, top, right: left + toasts.width, bottom: top + toasts.height };
};

/** Returns the lowest place where toasts cover no control; when there is none, the lower right corner. */
export const findToastPlace = (room: Room): ToastPlace => {
  const { window, margins, toasts, controls } = room;
  const lowest = [margins.bottom, ...controls.map(({ top }) => window.height - top + gap)]
    .filter((bottom) => bottom >= margins.bottom && bottom + toasts.height <= window.height)
    .sort((one, other) => one - other);
  const places = lowest.flatMap((bottom): readonly ToastPlace[] => [
    { bottom, side: "end" },
    { bottom, side: "start" },
  ]);
  const isFree = (place: ToastPlace): boolean => {
    const box = boxAt(room, place);
    return !controls.some((control) => isOverlapping(box, control));
  };
  return places.find(isFree) ?? { bottom: margins.bottom, side: "end" };
};

const controlSelector =
  'a[href], button, input, select, textarea, summary, label:has(input), [tabindex]:not([tabindex="-1"])';

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
