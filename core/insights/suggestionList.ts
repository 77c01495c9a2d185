import { type Suggestion, type SuggestionStatus, suggestionStatus } from "./suggestion.ts";
import type { SuggestionMark } from "./suggestionMarks.ts";

/** A suggestion in the list. */
export interface ShownSuggestion extends Suggestion {
  /** True if the suggestion was just dismissed and can be restored. */
  readonly isRestorable: boolean;
}

/** The filter of the suggestion list (IN2). */
export type SuggestionFilter = "all" | "applied" | "unapplied";

interface SuggestionContext {
  /** The selected mask; null for all masks. */
  readonly maskId: string | null;
  /** The time of the insights request in milliseconds since 1970; the response includes earlier marks. */
  readonly askedAt: number;
  /** The suggestions with a mark that the server has not confirmed yet. */
  readonly pending: ReadonlySet<string>;
  readonly restorable: ReadonlySet<string>;
}

const statusOnServer = ({ status, applied }: Suggestion): SuggestionStatus => {
  if (status === suggestionStatus.dismissed) return suggestionStatus.dismissed;
  return applied || status === suggestionStatus.applied ? suggestionStatus.applied : suggestionStatus.open;
};

/**
 * Merges the suggestions of the server with the marks of this device: a mark that is pending or newer than
 * the response wins. Applied suggestions stay in the list after the server has dropped them, and dismissed ones stay away
 * although it lists them.
 */
export const shownSuggestions = (
  fromServer: readonly Suggestion[],
  marks: readonly SuggestionMark[],
  { maskId, askedAt, pending, restorable }: SuggestionContext,
): readonly ShownSuggestion[] => {
  const byKey = new Map(marks.map((mark) => [mark.actionKey, mark]));
  const status = (suggestion: Suggestion): SuggestionStatus => {
    const mark = byKey.get(suggestion.actionKey);
    if (mark?.status === suggestionStatus.dismissed) return suggestionStatus.dismissed;
    const isNewer = mark && (pending.has(mark.actionKey) || mark.timestamp >= askedAt);
    return isNewer ? mark.status : statusOnServer(suggestion);
  };
  const keysOnServer = new Set(fromServer.map(({ actionKey }) => actionKey));
  const appliedEarlier = marks.flatMap(({ actionKey, status, suggestion }) =>
    suggestion &&
    status === suggestionStatus.applied &&
    !keysOnServer.has(actionKey) &&
    (maskId === null || suggestion.maskId === maskId)
      ? [{ ...suggestion, status }]
      : [],
  );
  return [...fromServer.map((one) => ({ ...one, status: status(one) })), ...appliedEarlier]
    .map((one) => ({
      ...one,
      applied: one.status === suggestionStatus.applied,
      isRestorable: one.status === suggestionStatus.dismissed && restorable.has(one.actionKey),
    }))
    .filter(({ status, isRestorable }) => status !== suggestionStatus.dismissed || isRestorable);
};

const matches: Readonly<Record<SuggestionFilter, (one: ShownSuggestion) => boolean>> = {
  all: () => true,
  applied: ({ applied }) => applied,
  unapplied: ({ applied }) => !applied,
};

/** Filters the suggestions and keeps their order. */
export const filteredSuggestions = (
  list: readonly ShownSuggestion[],
  filter: SuggestionFilter,
): readonly ShownSuggestion[] => list.filter(matches[filter]);

/** Counts the suggestions of each filter; dismissed ones count nowhere. */
export const suggestionCounts = (
  list: readonly ShownSuggestion[],
): Readonly<Record<SuggestionFilter, number>> => {
  const counted = list.filter(({ isRestorable }) => !isRestorable);
  const applied = counted.filter(matches.applied).length;
  return { all: counted.length, applied, unapplied: counted.length - applied };
};
