// The elements that the extension adds to a page: a button, and what is said below it. They live in a closed shadow root, which
// the page cannot read, and are styled by properties alone, which no Content-Security-Policy of the page refuses.

type Style = Readonly<Record<string, string>>;

const svgNamespace = "http://www.w3.org/2000/svg";

/** The width and height of a button without a text, in pixels. */
export const buttonPx = 24;

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

/** Sets the style of an element, whatever the page says. */
export const dress = (element: ElementCSSInlineStyle, style: Style): void => {
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

/** What a button offers. */
export interface ButtonTexts {
  /** The name of the button. */
  readonly name: string;
  /** The text in the button beside the mark; without one there is the mark alone. */
  readonly text?: string;
}

/** The elements in a page: one button, and one sentence below it. */
export interface Place {
  readonly host: HTMLElement;
  readonly button: HTMLButtonElement;
  /** Shows what the button offers, without a sentence, and undoes what the page has done to it. */
  readonly label: (texts: ButtonTexts) => void;
  /** Shows a sentence; none for an empty text. */
  readonly note: (sentence: string) => void;
  /** Puts the sentence so many pixels below the button. */
  readonly placeNote: (belowPx: number) => void;
  /** Has screen readers say a text. */
  readonly announce: (text: string) => void;
}

export const createPlace = (): Place => {
  const host = document.createElement("div");
  const root = host.attachShadow({ mode: "closed" });
  const button = document.createElement("button");
  const label = document.createElement("span");
  const sentence = document.createElement("div");
  const status = document.createElement("div");
  button.type = "button";
  button.tabIndex = -1;
  button.append(drawMark(), label);
  status.setAttribute("role", "status");
  dress(button, buttonStyle);
  dress(sentence, noteStyle);
  dress(status, hidden);
  root.append(button, sentence, status);
  host.popover = "manual";
  // The focus stays in the field.
  button.addEventListener("pointerdown", (event) => event.preventDefault());
  button.addEventListener("mousedown", (event) => event.preventDefault());
  const note = (text: string): void => {
    sentence.textContent = text;
    dress(sentence, { display: text === "" ? "none" : "block" });
  };
  const announce = (text: string): void => {
    status.textContent = text;
  };
  return {
    host,
    button,
    label: ({ name, text }) => {
      host.removeAttribute("style");
      dress(host, hostStyle);
      button.setAttribute("aria-label", name);
      button.title = name;
      label.textContent = text ?? "";
      dress(label, labelStyle);
      if (text === undefined) dress(label, { display: "none" });
      note("");
      announce("");
    },
    note,
    placeNote: (belowPx) => dress(sentence, { "margin-top": `${belowPx}px` }),
    announce,
  };
};
