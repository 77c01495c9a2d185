import * as t from "io-ts";
import { freeText, isStorable, refined, requiredText, withMessage } from "../api/textCodecs.ts";
import { completed, dateText, givenFields as fieldsOf, idText, ShownText } from "../api/wireCodecs.ts";
import { Labels } from "../labels/label.ts";
import { MaskActionLinkPlace } from "../mail/actionLinkPlace.ts";
import { domainOf, emailAddress, localPartOf } from "../mail/emailAddress.ts";
import { MaskSenderShown } from "../mail/forwardedFrom.ts";
import { KeptInApp } from "../mail/keptInApp.ts";
import { MaskUnsubscribeMode } from "../mail/unsubscribeMode.ts";
import { Senders, SendersEdit } from "../senders/maskSenders.ts";
import { Expiry, NewExpiry } from "./maskExpiry.ts";
import { addressFields } from "./maskFormat.ts";
import { MaskStatistics, noStatistics } from "./maskStatistics.ts";

export type MaskId = string;

const storable = (codec: t.Type<string, string, unknown>): t.Type<string, string, unknown> =>
  refined(codec, isStorable, "Remove characters that cannot be stored");

const descriptionRequired = "Description is required";

/** The most characters of a description (MA5). */
export const maxDescriptionLength = 200;

/** The description that distinguishes this mask from others, stored as received. */
const Description = refined(
  refined(
    storable(withMessage(t.string, descriptionRequired)),
    (text) => text.trim() !== "",
    descriptionRequired,
  ),
  (text) => text.length <= maxDescriptionLength,
  `Description must be ${maxDescriptionLength} characters or less.`,
);

export const ForwardTo = emailAddress({
  required: "Please enter a valid email address",
  invalid: "Please enter a valid email address",
});

/** The most addresses that one mask forwards to. */
export const maxDestinations = 10;

/** The destinations of a mask's mail; the first stands for `forwardTo`. */
export const Destinations = refined(
  t.readonlyArray(ForwardTo),
  ({ length }) => length >= 1 && length <= maxDestinations,
  `A mask forwards to at most ${maxDestinations} addresses`,
);

/** The most characters of a custom prefix (MA6). */
export const maxPrefixLength = 16;

/** The most characters of a custom prefix that the form for a new mask accepts (MA5, D16). */
export const maxNewPrefixLength = 10;

/** The part of the address that the owner chooses (MA6, D16). */
export const CustomPrefix = refined(
  refined(
    refined(
      requiredText("Custom prefix can only contain letters, numbers, underscores, periods, and hyphens."),
      (text) => /^[A-Za-z0-9_.-]+$/.test(text),
      "Custom prefix can only contain letters, numbers, underscores, periods, and hyphens.",
    ),
    (text) => text.length <= maxPrefixLength,
    `Custom prefix must be ${maxPrefixLength} characters or less.`,
  ),
  (text) => !/^\.|\.$|\.\./.test(text),
  "Custom prefix cannot begin or end with a period, or have two in a row.",
);

/** Addresses in angle brackets and pieces of HTML are what people note. */
const Note = freeText({ what: "A note", allowsHtml: true });

const noLabels: readonly string[] = [];

/** The treatment of mail that comes while a mask is switched off: refused with 550, accepted and dropped, or held. */
const WhenOff = t.keyof({ refuse: null, drop: null, hold: null });
export type WhenOff = t.TypeOf<typeof WhenOff>;

const refuse: WhenOff = "refuse";
const asAccount: MaskSenderShown = "account";
const linksAsAccount: MaskActionLinkPlace = "account";
const unsubscribeAsAccount: MaskUnsubscribeMode = "account";
const notKept: KeptInApp = "no";

interface MaskField<A extends string | boolean | readonly string[]> {
  /** The object in which the field is sent: the mask itself or its settings. */
  readonly in: "mask" | "settings";
  /** Decodes the field in an answer of the server. */
  readonly stored: t.Type<A, A, unknown>;
  /** Decodes what the owner enters. */
  readonly input: t.Type<A, A, unknown>;
  /** The value of a mask without this field, and of an empty form. */
  readonly initial: A;
  /** True if the form has the field; a form may be without an optional one, which then stays as it is. */
  readonly isInForm: boolean | "optional";
}

/**
 * The plain fields of a mask, declared once for the codecs, the form's draft and the database column. What has
 * effects of its own (the addresses, the rules) is not plain.
 */
export const maskFields = {
  description: { in: "mask", stored: ShownText, input: Description, initial: "", isInForm: true },
  labels: {
    in: "mask",
    stored: t.readonlyArray(ShownText),
    input: Labels,
    initial: noLabels,
    isInForm: true,
  },
  /** The text that the owner wants to remember about the mask; nobody else sees it. */
  note: { in: "mask", stored: ShownText, input: Note, initial: "", isInForm: true },
  /** The site that the mask is for, as the domain that its owner registers: "shop.example"; empty for none (`madeFor.ts`). */
  madeFor: { in: "mask", stored: ShownText, input: t.string, initial: "", isInForm: "optional" },
  /** True if the mask stands before the others. */
  pinned: { in: "mask", stored: t.boolean, input: t.boolean, initial: false, isInForm: false },
  active: { in: "mask", stored: t.boolean, input: t.boolean, initial: true, isInForm: false },
  whenOff: { in: "mask", stored: WhenOff, input: WhenOff, initial: refuse, isInForm: "optional" },
  /** True if the owner is notified, once a day, of mail that was refused or dropped while the mask was off. */
  notifyWhenOff: {
    in: "settings",
    stored: t.boolean,
    input: t.boolean,
    initial: false,
    isInForm: "optional",
  },
  spamFilter: { in: "settings", stored: t.boolean, input: t.boolean, initial: false, isInForm: true },
  /** True if mail from an unproven sender is accepted without a mark, even against the policy of its domain. */
  acceptUnproven: {
    in: "settings",
    stored: t.boolean,
    input: t.boolean,
    initial: false,
    isInForm: "optional",
  },
  /** The form in which the senders of its mail are shown. */
  senderShown: {
    in: "settings",
    stored: MaskSenderShown,
    input: MaskSenderShown,
    initial: asAccount,
    isInForm: "optional",
  },
  /** The place of links in its mail that act on the mask. */
  actionLinks: {
    in: "settings",
    stored: MaskActionLinkPlace,
    input: MaskActionLinkPlace,
    initial: linksAsAccount,
    isInForm: "optional",
  },
  /** The effect of "Unsubscribe" on its mail. */
  unsubscribe: {
    in: "settings",
    stored: MaskUnsubscribeMode,
    input: MaskUnsubscribeMode,
    initial: unsubscribeAsAccount,
    isInForm: "optional",
  },
  /** True if codes in its mail are found and shown at once, which the server then reads for a moment. */
  showCodes: {
    in: "settings",
    stored: t.boolean,
    input: t.boolean,
    initial: false,
    isInForm: "optional",
  },
  /** The storage of its mail in the app. */
  keptInApp: {
    in: "settings",
    stored: KeptInApp,
    input: KeptInApp,
    initial: notKept,
    isInForm: "optional",
  },
} as const satisfies Readonly<
  Record<
    string,
    | MaskField<string>
    | MaskField<WhenOff>
    | MaskField<MaskSenderShown>
    | MaskField<MaskActionLinkPlace>
    | MaskField<MaskUnsubscribeMode>
    | MaskField<KeptInApp>
    | MaskField<boolean>
    | MaskField<readonly string[]>
  >
>;

type Fields = typeof maskFields;
export type MaskFieldName = keyof Fields;

/** The value of a plain field. */
export type MaskFieldValue<N extends MaskFieldName> = t.TypeOf<Fields[N]["stored"]>;

/** Every plain field with its value. */
export type PlainFields = { readonly [N in MaskFieldName]: MaskFieldValue<N> };

/** Every plain field, in the order of the table. */
export const maskFieldNames = Object.keys(maskFields) as readonly MaskFieldName[];

type Place = MaskField<string>["in"];

const namesOf = (place: Place): readonly MaskFieldName[] =>
  maskFieldNames.filter((name) => maskFields[name].in === place);

const namesIn = { mask: namesOf("mask"), settings: namesOf("settings") };

type CodecsIn<P extends Place, C extends "stored" | "input"> = {
  [N in MaskFieldName as Fields[N]["in"] extends P ? N : never]: Fields[N][C];
};

const codecsIn = <P extends Place, C extends "stored" | "input">(place: P, codec: C): CodecsIn<P, C> =>
  Object.fromEntries(namesIn[place].map((name) => [name, maskFields[name][codec]])) as CodecsIn<P, C>;

/** The state of the forward-to address: whether its owner has confirmed it (D33). */
const DestinationStatus = t.keyof({ confirmed: null, "awaiting-confirmation": null });

/** `rulesVersion` extends the contract: it is the version that `If-Match` names when rules are saved (D43). */
const MaskSettings = t.partial({
  ...codecsIn("settings", "stored"),
  rules: t.array(t.unknown),
  rulesVersion: t.string,
});

/** `requestId` extends the contract: the id that a client gives to a mask before it is made; one mask has it, however often it is sent. */
const MaskMetadata = t.partial({ suggestionId: t.string, suggestionCategory: t.string, requestId: t.string });

const WholeMask = t.intersection([
  t.type({ id: ShownText, maskEmail: ShownText, forwardTo: ShownText }),
  t.partial({
    ...codecsIn("mask", "stored"),
    created: t.string,
    /** The last edit; extends the contract. It rises with every edit, so that the newer of two answers is known. */
    updated: t.string,
    customPrefix: t.union([t.string, t.null]),
    settings: MaskSettings,
    statistics: MaskStatistics,
    /** The senders that may write to the mask; absent means everybody. Extends the contract. */
    senders: Senders,
    /** The destinations of its mail, `forwardTo` first; each once it is confirmed. Extends the contract. */
    destinations: t.readonlyArray(ShownText),
    /** The destinations besides the first that are not confirmed yet; absent for none. Extends the contract. */
    awaitingDestinations: t.readonlyArray(ShownText),
    /** The expiry of the mask; null for never. Extends the contract. */
    expiry: t.union([Expiry, t.null]),
    /** The time at which its last mail arrived, in milliseconds since 1970; null before the first. Extends the contract. */
    lastMailAt: t.union([t.number, t.null]),
    metadata: MaskMetadata,
    /** Present where the parts of the site `madeFor` belong to others, as those of duckdns.org do. Extends the contract. */
    madeForAlone: t.literal(true),
    /** Extends the contract; absent means confirmed. */
    destinationStatus: DestinationStatus,
    /** Only in answers to a change of the forward-to address: false when no confirmation is needed or one is recent. */
    confirmationSent: t.boolean,
  }),
]);

/**
 * A mail address of its own for one shop or newsletter (MA10). Dates are ISO 8601. Other servers may number masks, write
 * times in milliseconds and send null for what a mask has not.
 */
export const Mask = completed(WholeMask, ({ id, created, settings, metadata, ...rest }) => ({
  forwardTo: "",
  ...rest,
  id: idText(id),
  created: dateText(created),
  settings: settings && fieldsOf(settings),
  metadata: metadata && { ...fieldsOf(metadata), suggestionId: idText(fieldsOf(metadata)["suggestionId"]) },
}));
export type Mask = t.TypeOf<typeof Mask>;

/** A mask is active unless `active` is false. */
export const isActive = (mask: Mask): boolean => mask.active ?? maskFields.active.initial;

/** Returns what a mask is called that got no description: the part of its address before the "@". */
export const descriptionOfAddress = (email: string): string =>
  localPartOf(email).slice(0, maxDescriptionLength);

/** Returns the description that a mask was given; empty for one that is only called after its address. */
export const givenDescription = ({ description = "", maskEmail }: Mask): string =>
  description === descriptionOfAddress(maskEmail) ? "" : description;

export const statisticsOf = (mask: Mask): MaskStatistics => mask.statistics ?? noStatistics;

const { description, ...optionalFields } = codecsIn("mask", "input");

/** Rules are validated when they are saved (core/rules/model/ruleList). */
const SettingsBody = t.partial({ ...codecsIn("settings", "input"), rules: t.array(t.unknown) });

/** The fields that both a new mask and an edit may name. */
const givenInBody = {
  forwardTo: ForwardTo,
  customPrefix: t.union([CustomPrefix, t.null]),
  ...optionalFields,
  destinations: Destinations,
  senders: SendersEdit,
  expiry: t.union([NewExpiry, t.null]),
  settings: SettingsBody,
};

/** The body of POST /masks. `forwardTo` and `format`, which extends the contract, are the account's where absent. */
export const NewMask = t.intersection([
  t.type({ description }),
  t.partial({ ...givenInBody, ...addressFields, metadata: MaskMetadata }),
]);
export type NewMask = t.TypeOf<typeof NewMask>;

/** The body of PUT /masks/{id}; fields that are left out stay as they are. */
export const MaskEdit = t.partial({ description, ...givenInBody });
export type MaskEdit = t.TypeOf<typeof MaskEdit>;

/** Returns the plain fields that a mask or a body contains. */
export const givenFields = (mask: MaskEdit | Mask): Partial<PlainFields> =>
  Object.fromEntries(
    maskFieldNames.flatMap((name) => {
      const sent: Partial<PlainFields> | undefined = maskFields[name].in === "mask" ? mask : mask.settings;
      return sent?.[name] === undefined ? [] : [[name, sent[name]]];
    }),
  );

const initialFields = Object.fromEntries(
  maskFieldNames.map((name) => [name, maskFields[name].initial]),
) as PlainFields;

/** Returns the value of every plain field; one that the mask lacks has its initial value. */
export const plainFieldsOf = (mask: MaskEdit | Mask): PlainFields => ({
  ...initialFields,
  ...givenFields(mask),
});

type FieldsIn<P extends Place, F> = {
  readonly [N in keyof F as N extends MaskFieldName ? (Fields[N]["in"] extends P ? N : never) : never]: F[N];
};

/** Plain fields at their places in a mask or a body. */
export type PlacedFields<F> = FieldsIn<"mask", F> & { readonly settings: FieldsIn<"settings", F> };

/** Returns plain fields as a mask or a body contains them. */
export const placeFields = <F extends Partial<PlainFields>>(fields: F): PlacedFields<F> => {
  const fieldsIn = (place: Place): Partial<PlainFields> => {
    const placed: Record<string, unknown> = {};
    for (const name of namesIn[place]) if (fields[name] !== undefined) placed[name] = fields[name];
    return placed;
  };
  return { ...fieldsIn("mask"), settings: fieldsIn("settings") } as PlacedFields<F>;
};

const maxShownCharacters = 20;
const shortenedCharacters = 16;

/** Returns the address for the card: a narrow page cuts a local part above 20 characters to 16 and "…" (MA4). */
export const shownAddress = ({ maskEmail }: Pick<Mask, "maskEmail">, narrow: boolean): string => {
  const characters = Array.from(localPartOf(maskEmail));
  return narrow && characters.length > maxShownCharacters
    ? `${characters.slice(0, shortenedCharacters).join("")}…@${domainOf(maskEmail)}`
    : maskEmail;
};
