import * as E from "fp-ts/lib/Either.js";
import * as t from "io-ts";
import { merge, type Observable, Subject } from "rxjs";
import { type State, watchState } from "../kernel/state.ts";
import type { Store, Stored } from "../storage/store.ts";
import { json, plainText } from "../storage/storedCodecs.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import { Suggestion, SuggestionStatus, suggestionStatus } from "./suggestion.ts";

/**
 * What somebody made of a suggestion on this device (B3). `timestamp`: milliseconds since 1970, of the server's word
 * for it once it has come. An applied one is remembered whole: when its cause is gone the server names it no more.
 */
const SuggestionMark = t.intersection([
  t.type({ actionKey: t.string, category: t.string, status: SuggestionStatus, timestamp: t.number }),
  t.partial({ suggestion: Suggestion }),
]);
export type SuggestionMark = t.TypeOf<typeof SuggestionMark>;

const Kept = t.type({ owner: t.string, marks: t.readonlyArray(SuggestionMark) });
type Kept = t.TypeOf<typeof Kept>;

/** Of more than these the oldest is forgotten. */
const mostMarks = 100;

/** One user's marks, shared by all tabs. */
export interface SuggestionMarks {
  /** Whatever was marked, each suggestion once. */
  readonly all$: State<readonly SuggestionMark[]>;
  readonly of: (actionKey: string) => SuggestionMark | undefined;
  readonly put: (mark: SuggestionMark) => void;
  readonly remove: (actionKey: string) => void;
}

const nothing: readonly SuggestionMark[] = [];
const codec = json(Kept);

/** Marks of one kind as they are stored; the same list for as long as the same is stored. */
const makeShelf = (stored: Stored<string>, owner: () => string | null) => {
  let text: string | null = null;
  let kept: Kept | null = null;
  const list = (): readonly SuggestionMark[] => {
    const now = stored.read();
    if (now !== text) {
      text = now;
      kept = E.getOrElse((): Kept | null => null)(codec.decode(now));
    }
    return kept !== null && kept.owner === owner() ? kept.marks : nothing;
  };
  const write = (marks: readonly SuggestionMark[]): void => {
    const user = owner();
    const newest = marks.toSorted((one, other) => other.timestamp - one.timestamp).slice(0, mostMarks);
    if (user === null || newest.length === 0) stored.remove();
    else stored.write(codec.encode({ owner: user, marks: newest }));
  };
  return { list, write, changes$: stored.changes$ };
};

/** `owner`: the user whose marks count; those of another are neither read nor kept (D45). */
export const makeSuggestionMarks = (
  store: Store,
  owner: () => string | null,
  ownerChanges$: Observable<unknown>,
): SuggestionMarks => {
  const applied = makeShelf(store.of(storedKeys.appliedSuggestions, plainText), owner);
  /** What was taken back stands here too: it is what became of one that was dismissed. */
  const dismissed = makeShelf(store.of(storedKeys.dismissedSuggestions, plainText), owner);
  const changed$ = new Subject<void>();
  let seen: readonly (readonly SuggestionMark[])[] = [];
  let joined = nothing;
  const all = (): readonly SuggestionMark[] => {
    const lists = [applied.list(), dismissed.list()];
    if (lists.some((list, at) => list !== seen[at])) {
      seen = lists;
      joined = lists.flat();
    }
    return joined;
  };
  const replace = (actionKey: string, mark?: SuggestionMark): void => {
    const isApplied = mark?.status === suggestionStatus.applied;
    for (const [shelf, isIts] of [
      [applied, isApplied],
      [dismissed, !isApplied],
    ] as const) {
      const others = shelf.list().filter((other) => other.actionKey !== actionKey);
      shelf.write(mark && isIts ? [...others, mark] : others);
    }
    changed$.next();
  };
  return {
    all$: watchState(all, merge(changed$, applied.changes$, dismissed.changes$, ownerChanges$)),
    of: (actionKey) => all().find((mark) => mark.actionKey === actionKey),
    put: (mark) => replace(mark.actionKey, mark),
    remove: (actionKey) => replace(actionKey),
  };
};
