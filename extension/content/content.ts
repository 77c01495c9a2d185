// Runs in the pages of sites that the user has allowed, and in a page where the user calls the extension. It looks at a field
// only after the user has pressed a key or a pointer: a page can trigger nothing, and pays nothing when it loads.
import { contentApi } from "./contentApi.ts";
import { factsOf } from "./fieldFacts.ts";
import { kindOfField } from "./fieldKind.ts";
import { createFieldOffers, isFillable } from "./fieldOffers.ts";
import { focusedField, isOwnFrame } from "./focusedField.ts";
import { createOffer, type Offer } from "./offer.ts";

const api = contentApi();

/** The acts of a user after which the focus may be in another field. */
const acts = ["pointerup", "click", "keyup"] as const;

/** The types of the fields that an address fits into. */
const addressTypes = ["text", "email", "search", "url", "tel"];

const begin = (): void => {
  let current: Offer | undefined;
  const offer = (): Offer => {
    current ??= createOffer((field) => focusedField() === field);
    return current;
  };
  let isCalled = false;
  const { offerAt, fillMask, waitForCode } = createFieldOffers({ api, offer, isCalled: () => isCalled });
  /** The field from which the user has sent the button away by Escape, until the focus is elsewhere. */
  let dismissed: HTMLInputElement | null = null;

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
    else if (addressTypes.includes(field.type)) void fillMask(field);
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
