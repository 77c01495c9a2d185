import * as t from "io-ts";

const SuggestionType = t.keyof({ security: null, efficiency: null, filter: null });

/** What the rule editor is filled with. */
const SuggestedRule = t.type({
  name: t.string,
  type: t.string,
  conditions: t.array(t.type({ field: t.string, operator: t.string, value: t.unknown })),
  actions: t.array(t.type({ type: t.string, params: t.record(t.string, t.unknown) })),
});
export type SuggestedRule = t.TypeOf<typeof SuggestedRule>;

/**
 * Something that would help, computed from facts that it names (B3). `action` says what applying it opens: a name with
 * Mask the mask form, one with Filter or Rule the rule editor (IN3).
 */
export const Suggestion = t.intersection([
  t.type({
    /** Names the suggestion for as long as its cause lasts; what was dismissed under it stays dismissed. */
    actionKey: t.string,
    title: t.string,
    description: t.string,
    type: SuggestionType,
    category: t.string,
    action: t.string,
    actionText: t.string,
    /** 1: applied. */
    status: t.number,
    applied: t.boolean,
  }),
  t.partial({
    /** The mask it speaks of. */
    maskId: t.string,
    maskName: t.string,
    /** Where the mail of the mask to be made would go. */
    forwardTo: t.string,
    rule: SuggestedRule,
  }),
]);
export type Suggestion = t.TypeOf<typeof Suggestion>;

/** What became of a suggestion: 0 open, 1 applied, 2 dismissed. */
export const suggestionStatus = { open: 0, applied: 1, dismissed: 2 } as const;

export type SuggestionStatus = (typeof suggestionStatus)[keyof typeof suggestionStatus];

export const SuggestionStatus: t.Type<SuggestionStatus> = t.union([
  t.literal(suggestionStatus.open),
  t.literal(suggestionStatus.applied),
  t.literal(suggestionStatus.dismissed),
]) as t.Type<SuggestionStatus>;
