// What is offered in a field: a button that follows the field, and a sentence below it.
import { isPressAsShown, type ShownHost, watchVisibility } from "./asShown.ts";
import { isPlainlyVisible } from "./focusedField.ts";
import { type ButtonTexts, buttonPx, createPlace, dress } from "./place.ts";

/** The time for which a button stands still before a press on it counts, so that a page cannot put it under a pointer. */
const settleMs = 350;
/** The time for which a sentence is shown. */
const noteMs = 6_000;

const mayBeCovered = "Something of this page may cover this button. Press Alt+Shift+M in its place.";

/** What is offered at a field. */
export interface Offered extends ButtonTexts {
  readonly field: HTMLInputElement;
  readonly onPress: () => void;
}

/** The place of the extension in a page: one button, and one sentence. */
export interface Offer {
  readonly show: (offered: Offered) => void;
  /** Says something beside the button that is shown, for a moment. */
  readonly say: (sentence: string) => void;
  /** Takes what is offered, as the user does by the keyboard. */
  readonly press: () => void;
  readonly hide: () => void;
  /** The field of the button that is shown. */
  readonly field: () => HTMLInputElement | null;
  /** True if an event came from the button itself. */
  readonly isOwn: (event: Event) => boolean;
}

/** Returns where the button of a field stands in the window: at its end, or below it where the button has a text. */
const placeAt = (field: HTMLInputElement, text: string | undefined, widthPx: number) => {
  const { right, top, height } = field.getBoundingClientRect();
  const spare = (height - buttonPx) / 2;
  return {
    left: text === undefined ? right - buttonPx - 6 : right - widthPx,
    top: text === undefined ? top + spare : top + height + 4,
    noteBelow: Math.max(0, spare) + 6,
  };
};

export const createOffer = (isStillFocused: (field: HTMLInputElement) => boolean): Offer => {
  const place = createPlace();
  const { host, button } = place;
  const watch = watchVisibility(host, button);
  let offered: Offered | null = null;
  let shown: ShownHost | null = null;
  let settledAt = 0;
  let frame = 0;
  let noteUntil = 0;

  const attach = (field: HTMLInputElement): void => {
    // What stands beside an open modal dialog cannot be pressed.
    const parent = field.closest("dialog:modal") ?? document.documentElement;
    if (host.parentNode !== parent) parent.append(host);
    if (!host.matches(":popover-open")) host.showPopover();
    watch.start();
  };
  const hide = (): void => {
    cancelAnimationFrame(frame);
    offered = null;
    shown = null;
    noteUntil = 0;
    watch.stop();
    host.remove();
  };
  const say = (sentence: string): void => {
    place.note(sentence);
    place.announce(sentence);
    noteUntil = performance.now() + noteMs;
  };
  /** Puts the host at its field, and has the button stand still anew where that has moved. */
  const move = ({ field, text }: Offered, now: number): void => {
    const { left, top, noteBelow } = placeAt(field, text, button.offsetWidth);
    if (
      shown !== null &&
      Math.round(shown.left) === Math.round(left) &&
      Math.round(shown.top) === Math.round(top)
    )
      return;
    settledAt = now + settleMs;
    place.placeNote(noteBelow);
    dress(host, { left: `${left}px`, top: `${top}px` });
    shown = { left, top, style: host.getAttribute("style"), parent: host.parentNode };
  };
  /** Follows the field, in each frame that the browser paints; nothing of the page calls this. */
  const follow = (now: number): void => {
    if (offered === null) return;
    const { field } = offered;
    if (!field.isConnected || !isStillFocused(field) || !isPlainlyVisible(field)) {
      hide();
      return;
    }
    move(offered, now);
    if (noteUntil > 0 && now > noteUntil) {
      noteUntil = 0;
      place.note("");
    }
    frame = requestAnimationFrame(follow);
  };

  button.addEventListener("click", (event) => {
    if (!event.isTrusted || shown === null || performance.now() < settledAt) return;
    if (!isPlainlyVisible(host) || !isPressAsShown(host, button, shown, event)) return;
    if (watch.isUnveiled()) offered?.onPress();
    else say(mayBeCovered);
  });

  return {
    show: (next) => {
      offered = next;
      shown = null;
      noteUntil = 0;
      place.label(next);
      attach(next.field);
      cancelAnimationFrame(frame);
      follow(performance.now());
      place.announce(`Bauta: ${next.name}`);
    },
    say,
    press: () => offered?.onPress(),
    hide,
    field: () => offered?.field ?? null,
    isOwn: (event) => event.composedPath().includes(host),
  };
};
