import { type ApiScope, hasScope } from "../../../core/api/apiScope.ts";
import { fieldError, UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Db } from "../../platform/store/database.ts";
import type { MaskAuthor } from "../maskChanges/maskChanges.ts";
import { assertRecentlyProven } from "../recentProof/recentProof.ts";
import { findMaker } from "./codeQueries.ts";
import { mayReadCodesOf } from "./userCodes.ts";

const needsScope = (scope: ApiScope, whose: string): UseCaseError => {
  const message = `This API token cannot have codes ${whose}shown. Use one with the scope ${scope}, or the app.`;
  return new UseCaseError("forbidden", message, {
    errors: [{ field: "showCodes", message }],
    extra: { scope },
  });
};

/**
 * Rejects unless the author may have codes of a mask shown: whoever reads them logs in elsewhere. An API token needs the scope to
 * read them, a session a recent proof of its user.
 */
export const assertMayShowCodes = async (db: Db, author: MaskAuthor, now: number): Promise<void> => {
  const { token, callerId } = author;
  if (token) {
    if (!hasScope(token.scopes, "codes:read")) throw needsScope("codes:read", "");
  } else if (callerId === undefined) throw fieldError("forbidden", "showCodes", "Log in to the app first.");
  else await assertRecentlyProven(db, callerId, now);
};

/**
 * As `assertMayShowCodes`, for a mask that exists, whose codes a token must be able to read; what is shown already stays so.
 */
export const assertMayShowCodesOf = async (
  db: Db,
  author: MaskAuthor,
  maskId: string,
  now: number,
): Promise<void> => {
  const shown = await db
    .selectFrom("masks")
    .where("id", "=", maskId)
    .where("user_id", "=", author.userId)
    .where("show_codes", "=", 1)
    .select("id")
    .executeTakeFirst();
  if (shown) return;
  await assertMayShowCodes(db, author, now);
  const { token, userId } = author;
  if (token && !mayReadCodesOf(token, await findMaker(db, { userId, maskId })))
    throw needsScope("codes:read:all", "of a mask that it did not create ");
};
