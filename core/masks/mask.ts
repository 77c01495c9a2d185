import * as t from "io-ts";
import { isStorable, refined, requiredText, withMessage } from "../api/textCodecs.ts";
import { domainOf, emailAddress, localPartOf } from "../mail/emailAddress.ts";
import { MaskStatistics, noStatistics } from "./maskStatistics.ts";

export type MaskId = string;

/** The state of the forward-to address: whether its owner has confirmed it (D33). */
const DestinationStatus = t.union([t.literal("confirmed"), t.literal("awaiting-confirmation")]);

/**
 * `rulesVersion` extends the contract: it is the version that `If-Match` names when rules are saved (D43).
 */
const MaskSettings = t.partial({
  spamFilter: t.boolean,
  rules: t.array(t.unknown),
  rulesVersion: t.string,
});

const MaskMetadata = t.partial({ suggestionId: t.string, suggestionCategory: t.string });

/** A mail address of its own for one shop or newsletter (MA10). Dates are ISO 8601. */
export const Mask = t.intersection([
  t.type({ id: t.string, maskEmail: t.string, forwardTo: t.string }),
  t.partial({
    description: t.string,
    active: t.boolean,
    created: t.string,
    customPrefix: t.union([t.string, t.null]),
    settings: MaskSettings,
    statistics: MaskStatistics,
    metadata: MaskMetadata,
    /** Extends the contract; absent means confirmed. */
    destinationStatus: DestinationStatus,
    /**
     * Is present only in answers to a change of the forward-to address: whether a confirmation mail was sent
     * now. False when none is needed or the last one is too recent.
     */
    confirmationSent: t.boolean,
  }),
]);
export type Mask = t.TypeOf<typeof Mask>;

/** A mask is active unless `active` is false. */
export const isActive = (mask: Mask): boolean => mask.active ?? true;

export const statisticsOf = (mask: Mask): MaskStatistics => mask.statistics ?? noStatistics;

const storable = (codec: t.Type<string, string, unknown>): t.Type<string, string, unknown> =>
  refined(codec, isStorable, "Please remove characters that cannot be stored");

const descriptionRequired = "Description is required";

/** The most characters of a description (MA5). */
export const maxDescriptionLength = 200;

/** The description that distinguishes this mask from others, stored as received. */
export const Description = refined(
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

/** The body of POST /masks. Without `forwardTo` mail goes to the account's own address. */
export const NewMask = t.intersection([
  t.type({ description: Description }),
  t.partial({
    forwardTo: ForwardTo,
    customPrefix: t.union([CustomPrefix, t.null]),
    active: t.boolean,
    /** Rules are validated when they are saved (core/rules/model/ruleList). */
    settings: t.partial({ spamFilter: t.boolean, rules: t.array(t.unknown) }),
    metadata: MaskMetadata,
  }),
]);
export type NewMask = t.TypeOf<typeof NewMask>;

/** The body of PUT /masks/{id}; fields that are left out stay as they are. */
export const MaskEdit = t.partial({
  description: Description,
  forwardTo: ForwardTo,
  customPrefix: t.union([CustomPrefix, t.null]),
  active: t.boolean,
  /** Rules are validated when they are saved (core/rules/model/ruleList). */
  settings: t.partial({ spamFilter: t.boolean, rules: t.array(t.unknown) }),
});
export type MaskEdit = t.TypeOf<typeof MaskEdit>;

const maxShownCharacters = 20;
const shortenedCharacters = 16;

/**
 * Returns the mask's address as its card shows it: on a narrow page a local part of more than 20 characters
 * is cut to its first 16 and an ellipsis (MA4).
 */
export const shownAddress = ({ maskEmail }: Pick<Mask, "maskEmail">, narrow: boolean): string => {
  const characters = Array.from(localPartOf(maskEmail));
  return narrow && characters.length > maxShownCharacters
    ? `${characters.slice(0, shortenedCharacters).join("")}…@${domainOf(maskEmail)}`
    : maskEmail;
};
