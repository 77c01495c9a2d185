import * as t from "io-ts";
import { isStorable, requiredText, saying, such } from "../contract/text.ts";
import { emailAddress } from "../mail/emailAddress.ts";
import { MaskStatistics, noStatistics } from "./maskStatistics.ts";

export type MaskId = string;

/** Where mail to the mask goes, and whether its owner has confirmed that it may (D33). */
const DestinationStatus = t.union([t.literal("confirmed"), t.literal("awaiting-confirmation")]);

/** `rulesVersion`, beside the contract: what `If-Match` names when the rules are saved (D43). */
const MaskSettings = t.partial({
  spamFilter: t.boolean,
  rules: t.array(t.unknown),
  rulesVersion: t.string,
});

const MaskMetadata = t.partial({ suggestionId: t.string, suggestionCategory: t.string });

/** An address of its own for one shop or newsletter (MA10). Dates are ISO 8601. */
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
    /** Beside the contract: absent means confirmed. */
    destinationStatus: DestinationStatus,
    /**
     * Only in the answer to a change that named the forward-to: whether a mail that asks to confirm it went out now.
     * False where none is needed, or the last one is too recent.
     */
    confirmationSent: t.boolean,
  }),
]);
export type Mask = t.TypeOf<typeof Mask>;

/** A mask is active unless it says otherwise. */
export const isActive = (mask: Mask): boolean => mask.active ?? true;

export const statisticsOf = (mask: Mask): MaskStatistics => mask.statistics ?? noStatistics;

const storable = (codec: t.Type<string, string, unknown>): t.Type<string, string, unknown> =>
  such(codec, isStorable, "Please remove characters that cannot be stored");

const required = "Description is required";

/** How many characters a description can have (MA5). */
export const longestDescription = 200;

/** What tells this mask from the others, kept as it came. */
export const Description = such(
  such(storable(saying(t.string, required)), (text) => text.trim() !== "", required),
  (text) => text.length <= longestDescription,
  `Description must be ${longestDescription} characters or less.`,
);

export const ForwardTo = emailAddress({
  required: "Please enter a valid email address",
  invalid: "Please enter a valid email address",
});

/** How many characters the beginning of an address can have (MA6). */
export const longestPrefix = 16;

/** How many can be typed for a new one (MA5, D16). */
export const longestNewPrefix = 10;

/** The beginning of the address, chosen by its owner (MA6, D16). */
export const CustomPrefix = such(
  such(
    such(
      requiredText("Custom prefix can only contain letters, numbers, underscores, periods, and hyphens."),
      (text) => /^[A-Za-z0-9_.-]+$/.test(text),
      "Custom prefix can only contain letters, numbers, underscores, periods, and hyphens.",
    ),
    (text) => text.length <= longestPrefix,
    `Custom prefix must be ${longestPrefix} characters or less.`,
  ),
  (text) => !/^\.|\.$|\.\./.test(text),
  "Custom prefix cannot begin or end with a period, or have two in a row.",
);

/** What POST /masks takes. Without `forwardTo` mail goes to the account's own address. */
export const NewMask = t.intersection([
  t.type({ description: Description }),
  t.partial({
    forwardTo: ForwardTo,
    customPrefix: t.union([CustomPrefix, t.null]),
    active: t.boolean,
    /** Rules are checked where they are saved (core/rules/ruleList). */
    settings: t.partial({ spamFilter: t.boolean, rules: t.array(t.unknown) }),
    metadata: MaskMetadata,
  }),
]);
export type NewMask = t.TypeOf<typeof NewMask>;

/** What PUT /masks/{id} takes: what is left out stays as it is. */
export const MaskEdit = t.partial({
  description: Description,
  forwardTo: ForwardTo,
  customPrefix: t.union([CustomPrefix, t.null]),
  active: t.boolean,
  /** Rules are checked where they are saved (core/rules/ruleList). */
  settings: t.partial({ spamFilter: t.boolean, rules: t.array(t.unknown) }),
});
export type MaskEdit = t.TypeOf<typeof MaskEdit>;
