import * as t from "io-ts";
import { merge, type Observable, Subject } from "rxjs";
import { type State, watchState } from "../kernel/state.ts";
import { decodeChanged } from "../storage/decodeChanged.ts";
import { json, plainText, type Store, type StoredItem } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import { Suggestion, SuggestionStatus, suggestionStatus } from "./suggestion.ts";

/**
 * The status that the user gave a suggestion on this device (IN3). `timestamp` is in milliseconds since 1970:
 * the time of the confirmation once it exists. An applied suggestion is stored whole because the server stops
 * listing it.
 */
const SuggestionMark = t.intersection([
  t.type({ actionKey: t.string, category: t.string, status: SuggestionStatus, timestamp: t.number }),
  t.partial({ suggestion: Suggestion }),
]);
export type SuggestionMark = t.TypeOf<typeof SuggestionMark>;

const StoredMarks = t.type({ owner: t.string, marks: t.readonlyArray(SuggestionMark) });

/** The maximum number of marks of each kind; the oldest is dropped. */
const maxMarks = 100;

/** The marks of one user, shared by all tabs. */
export interface SuggestionMarks {
  readonly all$: State<readonly SuggestionMark[]>;
  readonly get: (actionKey: string) => SuggestionMark | undefined;
  readonly put: (mark: SuggestionMark) => void;
  readonly remove: (actionKey: string) => void;
}

const noMarks: readonly SuggestionMark[] = [];
const codec = json(StoredMarks);

/** Creates the stored list of one kind of marks; reading returns the same array while the stored text is the same. */
const createMarkList = (stored: StoredItem<string>, owner: () => string | null) => {
  const decode = decodeChanged(codec);
  const list = (): readonly SuggestionMark[] => {
    const decoded = decode(stored.read());
    return decoded !== null && decoded.owner === owner() ? decoded.marks : noMarks;
  };
  const write = (marks: readonly SuggestionMark[]): void => {
    const user = owner();
    const newest = marks.toSorted((one, other) => other.timestamp - one.timestamp).slice(0, maxMarks);
    if (user === null || newest.length === 0) stored.remove();
    else stored.write(codec.encode({ owner: user, marks: newest }));
  };
  return { list, write, changes$: stored.changes$ };
};

/** Creates the marks store. `owner` is the user whose marks count; those of others are ignored (D45). */
export const createSuggestionMarks = (
  store: Store,
  owner: () => string | null,
  ownerChanges$: Observable<unknown>,
): SuggestionMarks => {
  const applied = createMarkList(store.get(storedKeys.appliedSuggestions, plainText), owner);
  /** The dismissed suggestions, and the ones that were restored afterwards. */
  const dismissed = createMarkList(store.get(storedKeys.dismissedSuggestions, plainText), owner);
  const changed$ = new Subject<void>();
  let previousLists: readonly (readonly SuggestionMark[])[] = [];
  let joinedMarks = noMarks;
  const all = (): readonly SuggestionMark[] => {
    const lists = [applied.list(), dismissed.list()];
    if (lists.some((list, at) => list !== previousLists[at])) {
      previousLists = lists;
      joinedMarks = lists.flat();
    }
    return joinedMarks;
  };
  const replace = (actionKey: string, mark?: SuggestionMark): void => {
    const isApplied = mark?.status === suggestionStatus.applied;
    for (const [markList, isTarget] of [
      [applied, isApplied],
      [dismissed, !isApplied],
    ] as const) {
      const others = markList.list().filter((other) => other.actionKey !== actionKey);
      markList.write(mark && isTarget ? [...others, mark] : others);
    }
    changed$.next();
  };
  return {
    all$: watchState(all, merge(changed$, applied.changes$, dismissed.changes$, ownerChanges$)),
    get: (actionKey) => all().find((mark) => mark.actionKey === actionKey),
    put: (mark) => replace(mark.actionKey, mark),
    remove: (actionKey) => replace(actionKey),
  };
};
