import { codeTexts } from "./codeTexts.ts";
import { waitForAnswer } from "./codeWait.ts";
import type { ContentApi } from "./contentApi.ts";
import { isOpenField } from "./fieldFacts.ts";
import type { FieldKind } from "./fieldKind.ts";
import { focusedField, isPlainlyVisible } from "./focusedField.ts";
import type { Offer } from "./offer.ts";
import { writeCode, writeText } from "./writeField.ts";

const noAnswer = "Bauta does not answer. Reload the page and try again.";

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

const readAnswer = (given: unknown): Answer => {
  const answer: Readonly<Record<string, unknown>> = Object(given);
  const texts = ["address", "code", "sender", "sentence"].flatMap((name) => {
    const text = answer[name];
    return typeof text === "string" ? [[name, text]] : [];
  });
  return { ...Object.fromEntries(texts), ...(answer["isWaiting"] === true && { isWaiting: true }) };
};

/** True if a user can see a field and a program may write into it. */
export const isFillable = (field: HTMLInputElement): boolean => isOpenField(field) && isPlainlyVisible(field);

interface FieldOffersDeps {
  readonly api: ContentApi;
  readonly offer: () => Offer;
  /** True once the user has called the extension in this page, which then needs no access to the site. */
  readonly isCalled: () => boolean;
}

/** What the extension offers in the fields of a page, and fills in. */
export interface FieldOffers {
  /** Offers what belongs into a field by its kind. */
  readonly offerAt: (field: HTMLInputElement, kind: FieldKind) => void;
  /** Fills in a mask, whatever kind of field it is. */
  readonly fillMask: (field: HTMLInputElement) => Promise<void>;
  /** Waits for the code of this site, and offers it. */
  readonly waitForCode: (field: HTMLInputElement) => Promise<void>;
}

export const createFieldOffers = ({ api, offer, isCalled }: FieldOffersDeps): FieldOffers => {
  /** The fields that a request is under way for. */
  const busy = new WeakSet<HTMLInputElement>();
  /** The fields in which a code was offered. */
  const offeredCodes = new WeakSet<HTMLInputElement>();

  const send = (kind: "mask" | "code" | "used"): Promise<unknown> =>
    api.sendMessage({ kind, isCalled: isCalled() });
  const ask = (kind: "mask" | "code"): Promise<Answer> =>
    send(kind).then(readAnswer, () => ({ sentence: noAnswer }));
  /** Asks for a field, unless that is under way. */
  const askFor = async <A>(field: HTMLInputElement, asked: () => Promise<A>): Promise<A | undefined> => {
    if (busy.has(field)) return undefined;
    busy.add(field);
    return asked().finally(() => busy.delete(field));
  };

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
    const { address, sentence } = (await askFor(field, () => ask("mask"))) ?? {};
    // The page may have changed the field meanwhile.
    if (!field.isConnected || !isFillable(field)) return;
    if (address !== undefined) writeText(field, address);
    if (sentence !== undefined) say(field, sentence);
  };

  const waitForCode = async (field: HTMLInputElement): Promise<void> => {
    const now = (): number => performance.now();
    const answer = await askFor(field, () => waitForAnswer(field, { ask: () => ask("code"), now }));
    const { code, sender = "" } = answer ?? {};
    if (code === undefined || focusedField() !== field || !isFillable(field)) return;
    offeredCodes.add(field);
    offer().show({
      field,
      ...codeTexts(code, sender),
      onPress: () => {
        writeCode(field, code);
        offer().hide();
        void send("used").catch(() => undefined);
      },
    });
  };

  return {
    offerAt: (field, kind) => {
      if (kind === "email") offerMask(field);
      if (kind === "code" && !offeredCodes.has(field)) void waitForCode(field);
    },
    fillMask,
    waitForCode,
  };
};
