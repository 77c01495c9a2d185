// The button that stands in a field, and what is said below it. It lives in a closed shadow root, which the page cannot
// read, and is styled by properties alone, which no Content-Security-Policy of the page refuses.
import { isPressAsShown, type ShownHost, watchVisibility } from "./asShown.ts";
import { isPlainlyVisible } from "./focusedField.ts";

type Style = Readonly<Record<string, string>>;

const svgNamespace = "http://www.w3.org/2000/svg";

/** The time for which a button stands still before a press on it counts, so that a page cannot put it under a pointer. */
const settleMs = 350;
/** The time for which a sentence is shown. */
const noteMs = 6_000;

const buttonPx = 24;

const hostStyle: Style = {
  all: "initial",
  position: "fixed",
  inset: "auto",
  margin: "0",
  padding: "0",
  border: "0",
  background: "transparent",
  overflow: "visible",
  display: "block",
  "z-index": "2147483647",
  "color-scheme": "light dark",
};

const buttonStyle: Style = {
  all: "initial",
  display: "flex",
  "align-items": "center",
  gap: "6px",
  "box-sizing": "border-box",
  "min-width": `${buttonPx}px`,
  height: `${buttonPx}px`,
  "border-radius": "6px",
  background: "#1a1a1e",
  color: "#ffffff",
  font: "500 13px system-ui, sans-serif",
  outline: "1px solid #ffffff",
  cursor: "pointer",
  "white-space": "nowrap",
};

const labelStyle: Style = {
  all: "initial",
  font: "inherit",
  color: "inherit",
  "padding-inline-end": "8px",
};

const noteStyle: Style = {
  all: "initial",
  display: "block",
  position: "absolute",
  "inset-inline-end": "0",
  "box-sizing": "border-box",
  width: "max-content",
  "max-width": "280px",
  "margin-top": "6px",
  padding: "8px 10px",
  "border-radius": "6px",
  background: "#1a1a1e",
  color: "#ffffff",
  font: "13px/1.4 system-ui, sans-serif",
  outline: "1px solid #ffffff",
  "overflow-wrap": "anywhere",
};

const hidden: Style = {
  all: "initial",
  position: "absolute",
  width: "1px",
  height: "1px",
  "clip-path": "inset(50%)",
  overflow: "hidden",
};

const dress = (element: ElementCSSInlineStyle, style: Style): void => {
  for (const [name, value] of Object.entries(style)) element.style.setProperty(name, value, "important");
};

/** The mask of the logo. */
const drawMark = (): SVGElement => {
  const mark = document.createElementNS(svgNamespace, "svg");
  mark.setAttribute("viewBox", "0 0 32 32");
  mark.setAttribute("width", String(buttonPx));
  mark.setAttribute("height", String(buttonPx));
  mark.setAttribute("aria-hidden", "true");
  const shape = document.createElementNS(svgNamespace, "path");
  shape.setAttribute("fill", "#fbfaf8");
  shape.setAttribute(
    "d",
    "M16 12.7c-3 0-5.9-.5-8.7-1.5-.6 3.5-.2 6.5.9 9 .2.5.2 1-.1 1.5l-1.3 2.1c-.4.6-.2 1.3.4 1.6l7.6 3.2c.8.3 1.6.3 2.4 0l7.6-3.2c.6-.3.8-1 .4-1.6l-1.3-2.1c-.3-.5-.3-1-.1-1.5 1.1-2.5 1.5-5.5.9-9-2.8 1-5.7 1.5-8.7 1.5z",
  );
  const brim = document.createElementNS(svgNamespace, "path");
  brim.setAttribute("fill", "none");
  brim.setAttribute("stroke", "#fbfaf8");
  brim.setAttribute("stroke-width", "1.5");
  brim.setAttribute("stroke-linecap", "round");
  brim.setAttribute("d", "M3.7 6.5c3.5 2.7 7.7 3.8 12.3 3.8s8.8-1.1 12.3-3.8");
  mark.append(brim, shape);
  return mark;
};

/** What is offered at a field. */
export interface Offered {
  readonly field: HTMLInputElement;
  /** The name of the button. */
  readonly name: string;
  /** The text in the button beside the mark; without one there is the mark alone. */
  readonly text?: string;
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

export const createOffer = (isStillFocused: (field: HTMLInputElement) => boolean): Offer => {
  const host = document.createElement("div");
  const root = host.attachShadow({ mode: "closed" });
  const button = document.createElement("button");
  const label = document.createElement("span");
  const note = document.createElement("div");
  const status = document.createElement("div");
  button.type = "button";
  button.tabIndex = -1;
  button.append(drawMark(), label);
  status.setAttribute("role", "status");
  dress(host, hostStyle);
  dress(button, buttonStyle);
  dress(note, noteStyle);
  dress(status, hidden);
  root.append(button, note, status);
  host.popover = "manual";

  const watch = watchVisibility(button);
  let offered: Offered | null = null;
  let shown: ShownHost | null = null;
  let place = "";
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
  const showNote = (text: string): void => {
    note.textContent = text;
    dress(note, { display: text === "" ? "none" : "block" });
  };
  /** Puts the place at its field, in each frame that the browser paints; nothing of the page calls this. */
  const follow = (now: number): void => {
    const field = offered?.field;
    if (field === undefined || !field.isConnected || !isStillFocused(field) || !isPlainlyVisible(field)) {
      hide();
      return;
    }
    const { right, top, height } = field.getBoundingClientRect();
    const next = `${Math.round(right)} ${Math.round(top)} ${Math.round(height)}`;
    if (next !== place) {
      place = next;
      settledAt = now + settleMs;
      const left = offered?.text === undefined ? right - buttonPx - 6 : right - button.offsetWidth;
      const below = offered?.text === undefined ? top + (height - buttonPx) / 2 : top + height + 4;
      dress(note, { "margin-top": `${Math.max(0, (height - buttonPx) / 2) + 6}px` });
      dress(host, { left: `${left}px`, top: `${below}px` });
      shown = { left, top: below, style: host.getAttribute("style"), parent: host.parentNode ?? root };
    }
    if (noteUntil > 0 && now > noteUntil) {
      noteUntil = 0;
      showNote("");
    }
    frame = requestAnimationFrame(follow);
  };

  // The focus stays in the field.
  button.addEventListener("pointerdown", (event) => event.preventDefault());
  button.addEventListener("mousedown", (event) => event.preventDefault());
  button.addEventListener("click", (event) => {
    if (!event.isTrusted || shown === null || performance.now() < settledAt) return;
    if (!isPlainlyVisible(host) || !watch.isUnveiled()) return;
    if (isPressAsShown(host, button, shown, event)) offered?.onPress();
  });

  const show = (next: Offered): void => {
    offered = next;
    place = "";
    noteUntil = 0;
    // What the page has done to an earlier place is undone.
    host.removeAttribute("style");
    dress(host, hostStyle);
    button.setAttribute("aria-label", next.name);
    button.title = next.name;
    label.textContent = next.text ?? "";
    dress(label, labelStyle);
    if (next.text === undefined) dress(label, { display: "none" });
    showNote("");
    status.textContent = "";
    attach(next.field);
    cancelAnimationFrame(frame);
    follow(performance.now());
    status.textContent = `Bauta: ${next.name}`;
  };
  return {
    show,
    say: (sentence) => {
      showNote(sentence);
      status.textContent = sentence;
      noteUntil = performance.now() + noteMs;
    },
    press: () => offered?.onPress(),
    hide,
    field: () => offered?.field ?? null,
    isOwn: (event) => event.composedPath().includes(host),
  };
};
