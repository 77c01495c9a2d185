import * as t from "io-ts";
import { completed, idText } from "../api/wireCodecs.ts";

const SuggestionType = t.keyof({ security: null, efficiency: null, filter: null });

/** The rule that fills the rule editor. */
const SuggestedRule = t.type({
  name: t.string,
  type: t.string,
  conditions: t.array(t.type({ field: t.string, operator: t.string, value: t.unknown })),
  actions: t.array(t.type({ type: t.string, params: t.record(t.string, t.unknown) })),
});
export type SuggestedRule = t.TypeOf<typeof SuggestedRule>;

const SuggestionFields = t.intersection([
  t.type({
    /** The id of the suggestion as long as its cause exists; dismissing it is remembered by this id. */
    actionKey: t.string,
    title: t.string,
    description: t.string,
    type: SuggestionType,
    category: t.string,
    action: t.string,
    actionText: t.string,
    /** The status on the server: 0 open, 1 applied, 2 dismissed. */
    status: t.number,
    applied: t.boolean,
  }),
  t.partial({
    maskId: t.string,
    maskName: t.string,
    /** The forwarding address of the mask to create. */
    forwardTo: t.string,
    rule: SuggestedRule,
  }),
]);

/** The status of a suggestion: 0 open, 1 applied, 2 dismissed. */
export const suggestionStatus = { open: 0, applied: 1, dismissed: 2 } as const;

/**
 * A suggestion, computed from facts that its text names (IN2). `action` names what applying it opens: a name
 * with Mask opens the mask form, a name with Filter or Rule the rule editor (IN3). Other servers may name it by `id`
 * and say less about it.
 */
export const Suggestion = completed(SuggestionFields, ({ id, actionKey = id, ...given }) => {
  const isApplied = given["applied"] === true || given["status"] === suggestionStatus.applied;
  return {
    title: "",
    description: "",
    category: "",
    action: "",
    actionText: "Apply",
    status: isApplied ? suggestionStatus.applied : suggestionStatus.open,
    ...given,
    type: SuggestionType.is(given["type"]) ? given["type"] : "efficiency",
    applied: isApplied,
    actionKey: idText(actionKey),
  };
});
export type Suggestion = t.TypeOf<typeof Suggestion>;

export type SuggestionStatus = (typeof suggestionStatus)[keyof typeof suggestionStatus];

export const SuggestionStatus: t.Type<SuggestionStatus> = t.union([
  t.literal(suggestionStatus.open),
  t.literal(suggestionStatus.applied),
  t.literal(suggestionStatus.dismissed),
]) as t.Type<SuggestionStatus>;

/** The dialog or change that applying a suggestion leads to. */
export type SuggestionAction =
  | "createMask"
  | "createRule"
  | "switchOff"
  | "turnOnSpamProtection"
  | "setUpTwoFactor"
  | "setUpEncryption";

const namedActions: readonly SuggestionAction[] = [
  "switchOff",
  "turnOnSpamProtection",
  "setUpTwoFactor",
  "setUpEncryption",
];

/** Parses the action of a suggestion by its name (IN3); null when it is unknown. */
export const toSuggestionAction = (action: string): SuggestionAction | null => {
  if (action.includes("Mask")) return "createMask";
  if (action.includes("Filter") || action.includes("Rule")) return "createRule";
  return namedActions.find((known) => known === action) ?? null;
};
