import { type RefObject, useEffect, useState } from "react";
import { runUnlessUserActs } from "../unlessUserActs.ts";

/** The place of the keyboard when a dialog opened: the control, and what it stood in, from the inside out. */
interface Place {
  readonly control: Element;
  readonly around: readonly Element[];
}

const dialogs = '[role="dialog"], [role="alertdialog"]';

/** The places that the open dialogs were opened from: one that replaces another returns to where that one was opened. */
const openedFrom = new WeakMap<Element, readonly Place[]>();

const parts = `main, section, article, aside, [role="region"], ${dialogs}`;

const readPlaces = (): readonly Place[] => {
  const control = document.activeElement;
  if (control === null || control === document.body) return [];
  const around: Element[] = [];
  for (let at = control.closest(parts); at; at = at.parentElement?.closest(parts) ?? null) around.push(at);
  const dialog = control.closest(dialogs);
  return [{ control, around }, ...((dialog && openedFrom.get(dialog)) ?? [])];
};

/** Focuses an element; returns whether it took the focus, as nothing does that is gone, hidden or disabled. */
const take = (element: Element | null | undefined): boolean => {
  if (!element?.isConnected) return false;
  (element as HTMLElement).focus({ preventScroll: true });
  return element.ownerDocument.activeElement === element;
};

const nameOf = (element: Element): string =>
  `${element.localName} ${element.getAttribute("aria-label") ?? element.textContent}`;

const findAgain = (control: Element, part: Element): Element | undefined =>
  [...part.querySelectorAll(control.localName)].find((other) => nameOf(other) === nameOf(control));

const takeHeading = (part: Element): boolean => {
  const heading = part.querySelector<HTMLElement>("h1, h2, h3") ?? part.closest("main");
  if (heading !== null && !heading.hasAttribute("tabindex")) heading.tabIndex = -1;
  return take(heading);
};

/** Focuses the control, else the same one drawn anew, else the heading of the nearest part of the page that is left. */
const goBackTo = ({ control, around }: Place): boolean =>
  take(control) ||
  around
    .filter(({ isConnected }) => isConnected)
    .some((part) => take(findAgain(control, part)) || takeHeading(part));

const goBack = (page: Document, places: readonly Place[]): void => {
  const main = page.querySelector("main");
  if (!places.some(goBackTo) && main !== null) takeHeading(main);
};

/**
 * The time, in milliseconds, to watch for the control that opened a dialog, which the dialog may remove a moment after it has
 * closed.
 */
const lastLookMs = 450;

/** Goes back once the library has tried to, and again when the control is lost after that; unless the user has gone on. */
const goBackWhenLost = (window: Window, places: readonly Place[]): void => {
  const { document } = window;
  const look = (): void => {
    if (document.activeElement === document.body) goBack(document, places);
  };
  let frame = window.requestAnimationFrame(() => {
    frame = window.requestAnimationFrame(look);
  });
  const stopLooking = (): void => window.cancelAnimationFrame(frame);
  const lastLook = (): void => {
    stopLooking();
    look();
  };
  runUnlessUserActs(lastLookMs, lastLook, stopLooking);
};

const fields =
  'input:enabled:not([type="hidden"], [type="file"], [role="switch"], [readonly]), textarea:enabled:not([readonly]), [aria-haspopup="listbox"]:enabled';

/**
 * Gives the focus of a dialog that has appeared to its first field, and after it has gone to where it came from. `inside` is an
 * element of the dialog.
 */
export const useDialogFocus = (inside: RefObject<Element | null>): void => {
  const [places] = useState(readPlaces);
  useEffect(() => {
    const dialog = inside.current?.closest(dialogs);
    if (!dialog) return undefined;
    openedFrom.set(dialog, places);
    if (!dialog.contains(document.activeElement)) take(dialog.querySelector(fields));
    return () => goBackWhenLost(window, places);
  }, [inside, places]);
};
