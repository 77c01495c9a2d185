import type { MouseEvent } from "react";

/** True if a click that nobody has taken asks to go there in this tab, and not to open another one or to save. */
const isPlain = ({ defaultPrevented, button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean =>
  !(defaultPrevented || button || ctrlKey || metaKey || shiftKey || altKey);

/** Handles the clicks of a link: a plain one calls `follow`; one with a modifier key or another button is the browser's. */
export const followPlainly =
  (follow: () => void) =>
  (event: MouseEvent): void => {
    if (!isPlain(event)) return;
    event.preventDefault();
    follow();
  };
