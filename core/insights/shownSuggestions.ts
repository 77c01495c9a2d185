import { type Suggestion, type SuggestionStatus, suggestionStatus } from "./suggestion.ts";
import type { SuggestionMark } from "./suggestionMarks.ts";

/** A suggestion as the list shows it. */
export interface ShownSuggestion extends Suggestion {
  /** It has just been dismissed, and can still be taken back. */
  readonly isRestorable: boolean;
}

/** IN2's filter. */
export type SuggestionFilter = "all" | "applied" | "unapplied";

interface Surroundings {
  /** Whose suggestions are shown; null: those of all. */
  readonly maskId: string | null;
  /** When the answer was asked for, in milliseconds since 1970: what was marked before that, the server knows. */
  readonly askedAt: number;
  /** Marks the server has not confirmed yet. */
  readonly pending: ReadonlySet<string>;
  readonly restorable: ReadonlySet<string>;
}

const statusSaid = ({ status, applied }: Suggestion): SuggestionStatus => {
  if (status === suggestionStatus.dismissed) return suggestionStatus.dismissed;
  return applied || status === suggestionStatus.applied ? suggestionStatus.applied : suggestionStatus.open;
};

/**
 * What the server says of suggestions, and what this device knows better: a mark that is younger than the answer, or
 * still on its way. An applied one stays after its cause is gone, and the server with it silent.
 */
export const shownSuggestions = (
  told: readonly Suggestion[],
  marks: readonly SuggestionMark[],
  { maskId, askedAt, pending, restorable }: Surroundings,
): readonly ShownSuggestion[] => {
  const byKey = new Map(marks.map((mark) => [mark.actionKey, mark]));
  const status = (suggestion: Suggestion): SuggestionStatus => {
    const mark = byKey.get(suggestion.actionKey);
    const isNewer = mark && (pending.has(mark.actionKey) || mark.timestamp >= askedAt);
    return isNewer ? mark.status : statusSaid(suggestion);
  };
  const named = new Set(told.map(({ actionKey }) => actionKey));
  const remembered = marks.flatMap(({ actionKey, status, suggestion }) =>
    suggestion &&
    status === suggestionStatus.applied &&
    !named.has(actionKey) &&
    (maskId === null || suggestion.maskId === maskId)
      ? [{ ...suggestion, status }]
      : [],
  );
  return [...told.map((one) => ({ ...one, status: status(one) })), ...remembered]
    .map((one) => ({
      ...one,
      applied: one.status === suggestionStatus.applied,
      isRestorable: one.status === suggestionStatus.dismissed && restorable.has(one.actionKey),
    }))
    .filter(({ status, isRestorable }) => status !== suggestionStatus.dismissed || isRestorable);
};

const passes: Readonly<Record<SuggestionFilter, (one: ShownSuggestion) => boolean>> = {
  all: () => true,
  applied: ({ applied }) => applied,
  unapplied: ({ applied }) => !applied,
};

/** Those a filter lets through, in the order they had. */
export const filteredSuggestions = (
  list: readonly ShownSuggestion[],
  filter: SuggestionFilter,
): readonly ShownSuggestion[] => list.filter(passes[filter]);

/** How many stand under each filter; what is dismissed and can only be taken back counts under none. */
export const suggestionCounts = (
  list: readonly ShownSuggestion[],
): Readonly<Record<SuggestionFilter, number>> => {
  const standing = list.filter(({ isRestorable }) => !isRestorable);
  const applied = standing.filter(passes.applied).length;
  return { all: standing.length, applied, unapplied: standing.length - applied };
};
