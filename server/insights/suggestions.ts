import { suggest } from "../../core/insights/suggest.ts";
import { Suggestion, type SuggestionStatus, suggestionStatus } from "../../core/insights/suggestion.ts";
import { Refusal } from "../http/refusal.ts";
import type { Db } from "../store/database.ts";
import { markSuggestion, marksOf, type SuggestionMark, unmarkSuggestion } from "../store/suggestionMarks.ts";
import type { UserRow } from "../store/users.ts";
import { pictureOf } from "./picture.ts";

/** Applied ones are shown for a while, the newest first. */
const mostApplied = 50;

const asMarked = ({ suggestion }: SuggestionMark): readonly Suggestion[] => {
  const decoded = Suggestion.decode(JSON.parse(suggestion));
  return decoded._tag === "Right"
    ? [{ ...decoded.right, status: suggestionStatus.applied, applied: true }]
    : [];
};

/** Everything that would help an account now, whatever was said of it. */
const openSuggestions = async (
  db: Db,
  user: UserRow,
  historyMs: number | null,
  now: number,
): Promise<readonly Suggestion[]> =>
  suggest(await pictureOf(db, user, historyMs, now), now).map((one) => ({
    ...one,
    status: suggestionStatus.open,
    applied: false,
  }));

const isAbout =
  (maskId: string | null) =>
  (suggestion: Suggestion): boolean =>
    maskId === null || suggestion.maskId === maskId;

/**
 * What would help an account, or one of its masks: what is neither applied nor dismissed, and then what was applied,
 * also where its cause is gone (IN2, IN3).
 */
export const suggestionsOf = async (
  db: Db,
  { user, maskId, historyMs }: { user: UserRow; maskId: string | null; historyMs: number | null },
  now: number,
): Promise<Suggestion[]> => {
  const marks = await marksOf(db, user.id);
  const marked = new Set(marks.map(({ actionKey }) => actionKey));
  const open = await openSuggestions(db, user, historyMs, now);
  const applied = marks.filter(({ status }) => status === suggestionStatus.applied).slice(0, mostApplied);
  return [...open.filter(({ actionKey }) => !marked.has(actionKey)), ...applied.flatMap(asMarked)].filter(
    isAbout(maskId),
  );
};

/** Says what became of a suggestion, on all devices. Throws 404 for one that there is not (any more). */
export const sayOfSuggestion = async (
  db: Db,
  { user, historyMs }: { readonly user: UserRow; readonly historyMs: number | null },
  said: { readonly actionKey: string; readonly status: SuggestionStatus },
  now: number,
): Promise<void> => {
  const { actionKey, status } = said;
  if (status === suggestionStatus.open) return unmarkSuggestion(db, user.id, actionKey);
  const before = (await marksOf(db, user.id)).find((mark) => mark.actionKey === actionKey);
  const open = before ? [] : await openSuggestions(db, user, historyMs, now);
  const found = before?.suggestion ?? open.find((one) => one.actionKey === actionKey);
  if (found === undefined) throw new Refusal(404, "This suggestion is not there any more.");
  const suggestion = typeof found === "string" ? found : JSON.stringify(found);
  await markSuggestion(db, user.id, { actionKey, status, suggestion, now });
};
