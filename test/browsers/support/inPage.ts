import { queryAllByLabelText, queryAllByRole, queryAllByText } from "@testing-library/dom";

/** A string, or the source of a regular expression. */
export type Words = string | { readonly source: string; readonly flags: string };

/** An element as a user finds it: by role and name, or by its text, within another one. */
export interface Target {
  readonly role?: string;
  readonly name?: Words;
  readonly text?: Words;
  /** The label of a field that has no role, such as one for a passphrase. */
  readonly label?: Words;
  readonly within?: Target;
  /** Of several elements the last one; otherwise the first. */
  readonly isLast?: true;
  /** Elements that contain this one, too. */
  readonly has?: Target;
  /** CSS, for what has neither role nor text, such as a file input. */
  readonly selector?: string;
}

interface Place {
  readonly x: number;
  readonly y: number;
}

const matcherOf = (words: Words): string | RegExp =>
  typeof words === "string" ? words : new RegExp(words.source, words.flags);

const isShown = (element: Element): boolean =>
  element.checkVisibility({ visibilityProperty: true }) &&
  element.getClientRects().length > 0 &&
  element.closest("[aria-hidden=true], [inert]") === null;

const candidates = (target: Target, place: HTMLElement): readonly HTMLElement[] => {
  if (target.selector !== undefined) return [...place.querySelectorAll<HTMLElement>(target.selector)];
  if (target.label !== undefined) return queryAllByLabelText(place, matcherOf(target.label));
  if (target.role === undefined) return queryAllByText(place, matcherOf(target.text ?? "")).filter(isShown);
  return queryAllByRole(place, target.role, {
    // Whether an element is hidden is asked of the browser, in a hundredth of the time.
    hidden: true,
    ...(target.name !== undefined && { name: matcherOf(target.name) }),
  }).filter(isShown);
};

const all = (target: Target): readonly HTMLElement[] => {
  const places = target.within === undefined ? [document.body] : all(target.within);
  return places
    .flatMap((place) => candidates(target, place))
    .filter((element) => target.has === undefined || all(target.has).some((one) => element.contains(one)));
};

const one = (target: Target): HTMLElement | undefined => all(target).at(target.isLast ? -1 : 0);

const nextFrame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));

const middleOf = (element: Element): Place => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: Math.floor(left + width / 2), y: Math.floor(top + height / 2) };
};

/** The control or label that a press has to meet: hidden inputs lie in what is pressed instead of them. */
const pressedFor = (element: HTMLElement): Element =>
  (element instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(element.type)
    ? element.closest("label")
    : null) ?? element;

/** What the next press is meant for, and whether it has met it; null before. */
let aim: { readonly element: Element; hasMet: boolean | null } | undefined;
let isMissed = false;

/** Keeps a press from what has moved under the pointer since its place was asked. */
const guard = (event: Event): void => {
  if (event.type === "pointerdown" && aim?.hasMet === null) {
    aim.hasMet = event.target instanceof Node && aim.element.contains(event.target);
    isMissed = !aim.hasMet;
  }
  if (!isMissed) return;
  event.preventDefault();
  event.stopImmediatePropagation();
};
for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"])
  addEventListener(type, guard, { capture: true });

/** The middle of an element that rests and is not covered; null until then. */
const placeOf = async (target: Target): Promise<Place | null> => {
  const found = one(target);
  if (found === undefined || found.matches(":disabled, [aria-disabled=true]")) return null;
  const element = pressedFor(found);
  element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const before = middleOf(element);
  await nextFrame();
  await nextFrame();
  const { x, y } = middleOf(element);
  const hit = document.elementFromPoint(x, y);
  if (before.x !== x || before.y !== y || !element.contains(hit)) return null;
  aim = { element, hasMet: null };
  isMissed = false;
  return { x, y };
};

/** Whether the last press met what it was meant for; a page that has replaced the one of the press cannot tell. */
const hasMet = (): boolean => aim === undefined || aim.hasMet === true;

const complaints: string[] = [];
const watch = (): void => {
  addEventListener("error", ({ message, error }) =>
    complaints.push(`${message}${error instanceof Error ? ` at ${error.stack}` : ""}`),
  );
  addEventListener("unhandledrejection", ({ reason }) => complaints.push(`not handled: ${reason}`));
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    complaints.push(`${violatedDirective} refuses ${blockedURI}`),
  );
};

const tools = {
  count: (target: Target): number => all(target).length,
  texts: (target: Target): readonly string[] => all(target).map((element) => element.innerText.trim()),
  value: (target: Target): string | undefined => {
    const element = one(target);
    return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
      ? element.value
      : undefined;
  },
  isFocused: (target: Target): boolean => one(target) === document.activeElement,
  focusAndSelect: (target: Target): boolean => {
    const element = one(target);
    if (!(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)) return false;
    element.select();
    return document.activeElement === element;
  },
  element: one,
  placeOf,
  hasMet,
  complaints: (): readonly string[] => complaints,
};

export type PageTools = typeof tools;

Object.assign(globalThis, { bautaTools: tools });
watch();
