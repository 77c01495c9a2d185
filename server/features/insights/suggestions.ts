import { suggest } from "../../../core/insights/suggest.ts";
import { Suggestion, type SuggestionStatus, suggestionStatus } from "../../../core/insights/suggestion.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Db } from "../../platform/store/database.ts";
import type { UserRow } from "../../platform/store/users.ts";
import { readMailPicture } from "./mailPicture.ts";

/** A suggestion that the user applied (1) or dismissed (2). */
interface SuggestionMark {
  readonly actionKey: string;
  readonly status: number;
  /** The suggestion at that time as JSON. */
  readonly suggestion: string;
}

/** A status that a user gives to a suggestion. */
export interface SuggestionChange {
  readonly actionKey: string;
  readonly status: SuggestionStatus;
  /** The suggestion that was applied, as the client knows it. */
  readonly suggestion?: Suggestion | undefined;
}

const maxMarks = 500;

const listMarks = async (db: Db, userId: string): Promise<readonly SuggestionMark[]> =>
  db
    .selectFrom("suggestion_marks")
    .where("user_id", "=", userId)
    .orderBy("marked_at", "desc")
    .orderBy("action_key")
    .limit(maxMarks)
    .select(["action_key as actionKey", "status", "suggestion"])
    .execute();

const markSuggestion = async (
  db: Db,
  userId: string,
  mark: SuggestionMark & { readonly now: number },
): Promise<void> => {
  const columns = { status: mark.status, suggestion: mark.suggestion, marked_at: mark.now };
  await db
    .insertInto("suggestion_marks")
    .values({ user_id: userId, action_key: mark.actionKey, ...columns })
    .onConflict((conflict) => conflict.columns(["user_id", "action_key"]).doUpdateSet(columns))
    .execute();
  const last = await db
    .selectFrom("suggestion_marks")
    .where("user_id", "=", userId)
    .orderBy("marked_at", "desc")
    .offset(maxMarks)
    .limit(1)
    .select("marked_at")
    .executeTakeFirst();
  if (last)
    await db
      .deleteFrom("suggestion_marks")
      .where("user_id", "=", userId)
      .where("marked_at", "<=", last.marked_at)
      .execute();
};

const unmarkSuggestion = async (db: Db, userId: string, actionKey: string): Promise<void> => {
  await db
    .deleteFrom("suggestion_marks")
    .where("user_id", "=", userId)
    .where("action_key", "=", actionKey)
    .execute();
};

const maxApplied = 50;

const toAppliedSuggestion = ({ suggestion }: SuggestionMark): readonly Suggestion[] => {
  const decoded = Suggestion.decode(JSON.parse(suggestion));
  return decoded._tag === "Right"
    ? [{ ...decoded.right, status: suggestionStatus.applied, applied: true }]
    : [];
};

const computeSuggestions = async (
  db: Db,
  user: UserRow,
  historyMs: number | null,
  now: number,
): Promise<readonly Suggestion[]> =>
  suggest(await readMailPicture(db, user, historyMs, now), now).map((one) => ({
    ...one,
    status: suggestionStatus.open,
    applied: false,
  }));

const isAbout =
  (maskId: string | null) =>
  (suggestion: Suggestion): boolean =>
    maskId === null || suggestion.maskId === maskId;

/** Returns an account's or a mask's suggestions: open ones, then applied ones, even if their cause is gone (IN2, IN3). */
export const listSuggestions = async (
  db: Db,
  { user, maskId, historyMs }: { user: UserRow; maskId: string | null; historyMs: number | null },
  now: number,
): Promise<Suggestion[]> => {
  const marks = await listMarks(db, user.id);
  const marked = new Set(marks.map(({ actionKey }) => actionKey));
  const open = await computeSuggestions(db, user, historyMs, now);
  const applied = marks.filter(({ status }) => status === suggestionStatus.applied).slice(0, maxApplied);
  return [
    ...open.filter(({ actionKey }) => !marked.has(actionKey)),
    ...applied.flatMap(toAppliedSuggestion),
  ].filter(isAbout(maskId));
};

/** The most characters of a suggestion as JSON that a client sends. */
const maxSentLength = 8_000;

/** Returns the suggestion that a client says it has applied, as JSON: what it did may have ended the cause. */
const appliedNow = ({ actionKey, status, suggestion }: SuggestionChange): string | undefined => {
  if (status !== suggestionStatus.applied || suggestion?.actionKey !== actionKey) return undefined;
  const text = JSON.stringify(suggestion);
  return text.length <= maxSentLength ? text : undefined;
};

/** Stores the status of a suggestion for all devices. Throws 404 for one that is neither listed nor sent as applied. */
export const updateSuggestion = async (
  db: Db,
  { user, historyMs }: { readonly user: UserRow; readonly historyMs: number | null },
  change: SuggestionChange,
  now: number,
): Promise<void> => {
  const { actionKey, status } = change;
  if (status === suggestionStatus.open) return unmarkSuggestion(db, user.id, actionKey);
  const existing = (await listMarks(db, user.id)).find((mark) => mark.actionKey === actionKey);
  const open = existing ? [] : await computeSuggestions(db, user, historyMs, now);
  const listed = open.find((one) => one.actionKey === actionKey);
  const suggestion =
    existing?.suggestion ?? (listed === undefined ? appliedNow(change) : JSON.stringify(listed));
  if (suggestion === undefined) throw new UseCaseError("missing", "This suggestion is not there any more.");
  await markSuggestion(db, user.id, { actionKey, status, suggestion, now });
};
