// Runs in the pages of sites that the user has allowed, and in a page where the user calls the extension. It looks at a field
// only after the user has pressed a key or a pointer: a page can trigger nothing, and pays nothing when it loads.
import { codeTexts } from "./codeTexts.ts";
import { waitForAnswer } from "./codeWait.ts";
import { contentApi } from "./contentApi.ts";
import { factsOf, isOpenField } from "./fieldFacts.ts";
import { type FieldKind, kindOfField } from "./fieldKind.ts";
import { focusedField, isOwnFrame, isPlainlyVisible } from "./focusedField.ts";
import { createOffer, type Offer } from "./offer.ts";
import { writeCode, writeText } from "./writeField.ts";

const api = contentApi();

const noAnswer = "Bauta does not answer. Reload the page and try again.";

/** The acts of a user after which the focus may be in another field. */
const acts = ["pointerup", "click", "keyup"] as const;

/** What the background answers. */
interface Answer {
  readonly address?: string;
  readonly code?: string;
  readonly sender?: string;
  /** A sentence for the user. */
  readonly sentence?: string;
  /** No code has come yet. */
  readonly isWaiting?: true;
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

const ask = async (kind: "mask" | "code", isCalled: boolean): Promise<Answer> => {
  const answer: Readonly<Record<string, unknown>> = Object(
    await api.sendMessage({ kind, isCalled }).catch(() => ({ sentence: noAnswer })),
  );
  const texts = ["address", "code", "sender", "sentence"].flatMap((name) => {
    const text = textOf(answer[name]);
    return text === undefined ? [] : [[name, text]];
  });
  return { ...Object.fromEntries(texts), ...(answer["isWaiting"] === true && { isWaiting: true }) };
};

const isFillable = (field: HTMLInputElement): boolean => isOpenField(field) && isPlainlyVisible(field);

const begin = (): void => {
  let current: Offer | undefined;
  const offer = (): Offer => {
    current ??= createOffer((field) => focusedField() === field);
    return current;
  };
  /** The user has called the extension in this page, which then needs no access to the site. */
  let isCalled = false;
  /** The fields that a request is under way for. */
  const busy = new WeakSet<HTMLInputElement>();
  /** The field from which the user has sent the button away by Escape, until the focus is elsewhere. */
  let dismissed: HTMLInputElement | null = null;
  /** The fields in which a code was offered. */
  const offeredCodes = new WeakMap<HTMLInputElement, string>();

  const offerMask = (field: HTMLInputElement): void =>
    offer().show({
      field,
      name: "Fill in a mask (Alt+Shift+M)",
      onPress: () => void fillMask(field),
    });

  const say = (field: HTMLInputElement, sentence: string): void => {
    if (focusedField() !== field) return;
    if (offer().field() !== field) offerMask(field);
    offer().say(sentence);
  };

  const fillMask = async (field: HTMLInputElement): Promise<void> => {
    if (busy.has(field)) return;
    busy.add(field);
    const { address, sentence } = await ask("mask", isCalled).finally(() => busy.delete(field));
    // The page may have changed the field meanwhile.
    if (!field.isConnected || !isFillable(field)) return;
    if (address !== undefined) writeText(field, address);
    if (sentence !== undefined) say(field, sentence);
  };

  const offerCode = (field: HTMLInputElement, code: string, sender: string): void => {
    offeredCodes.set(field, code);
    offer().show({
      field,
      ...codeTexts(code, sender),
      onPress: () => {
        writeCode(field, code);
        offer().hide();
        void api.sendMessage({ kind: "used", isCalled }).catch(() => undefined);
      },
    });
  };

  /** Waits for the code of this site. */
  const waitForCode = async (field: HTMLInputElement): Promise<void> => {
    if (busy.has(field)) return;
    busy.add(field);
    const answer = await waitForAnswer(field, {
      ask: () => ask("code", isCalled),
      now: () => performance.now(),
    }).finally(() => busy.delete(field));
    const { code, sender = "" } = answer ?? {};
    if (code === undefined || focusedField() !== field || !isFillable(field)) return;
    offerCode(field, code, sender);
  };

  const offerAt = (field: HTMLInputElement, kind: FieldKind): void => {
    if (kind === "email") offerMask(field);
    if (kind === "code" && !offeredCodes.has(field)) void waitForCode(field);
  };

  const dismiss = (): void => {
    dismissed = current?.field() ?? dismissed;
    current?.hide();
  };

  const look = (): void => {
    const field = focusedField();
    if (field !== null && (field === current?.field() || field === dismissed)) return;
    dismissed = null;
    current?.hide();
    if (field === null || !isOwnFrame() || !isFillable(field)) return;
    offerAt(field, kindOfField(factsOf(field)));
  };

  /**
   * The user has called the extension: the code that is offered is filled in, a field for one waits for it, and any other that the
   * user types into gets a mask, whatever it is called.
   */
  const fillFocused = (): void => {
    isCalled = true;
    const field = focusedField();
    if (field === null || !document.hasFocus() || !isOwnFrame() || !isFillable(field)) return;
    const isCode = kindOfField(factsOf(field)) === "code";
    if (current?.field() === field) current.press();
    else if (isCode) void waitForCode(field);
    else if (["text", "email", "search", "url", "tel"].includes(field.type)) void fillMask(field);
  };

  for (const act of acts)
    window.addEventListener(
      act,
      (event) => {
        // Only the browser itself makes trusted events. The focus moves after some of them.
        if (!event.isTrusted || current?.isOwn(event) === true) return;
        if ((event as KeyboardEvent).key === "Escape") dismiss();
        else {
          // Seen now: the focus may be back in the field before the page has time to look.
          if (focusedField() !== dismissed) dismissed = null;
          setTimeout(look);
        }
      },
      { capture: true, passive: true },
    );
  api.onMessage((message) => {
    if ((Object(message) as { readonly kind?: unknown }).kind === "fill") fillFocused();
  });
};

const began = Symbol.for("bauta.content");
const world = globalThis as { [began]?: true };
if (world[began] !== true) {
  world[began] = true;
  begin();
}
