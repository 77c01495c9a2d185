import * as E from "fp-ts/lib/Either.js";
import { CodeContent, type MailCode } from "../../../core/mail/mailCode.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import type { AuthContext, TokenGrant } from "../../platform/store/authContext.ts";
import type { Db } from "../../platform/store/database.ts";
import { assertMask } from "../maskChanges/maskChanges.ts";
import { type CodeRow, deleteUsedCode, findCodes, findMaker } from "./codeQueries.ts";

/** The context of sealed codes of an account. */
export const sealContext = (userId: string): string => `mail code ${userId}`;

const readContent = (seal: Pick<Seal, "open">, row: CodeRow): CodeContent | null => {
  try {
    const decoded = CodeContent.decode(JSON.parse(seal.open(row.content, sealContext(row.user_id))));
    return E.isRight(decoded) ? decoded.right : null;
  } catch {
    return null;
  }
};

/** Returns a code as the API answers it; undefined for one that was sealed with another key of the installation. */
export const toMailCode = (seal: Pick<Seal, "open">, row: CodeRow): MailCode | undefined => {
  const times = {
    id: row.id,
    maskId: row.mask_id,
    receivedAt: new Date(Number(row.received_at)).toISOString(),
    expiresAt: new Date(Number(row.expires_at)).toISOString(),
  };
  if (row.to_key === 1) return { ...times, sealed: row.content };
  const content = readContent(seal, row);
  return content ? { ...times, ...content } : undefined;
};

/** True if a token may read the codes of a mask that another token, or none, has created. */
const readsAll = (token: TokenGrant | null): boolean =>
  token === null || token.scopes.includes("codes:read:all");

/** True if a token may read the codes of a mask, by the token that has created it. */
export const mayReadCodesOf = (token: TokenGrant, madeBy: string | null): boolean =>
  readsAll(token) || token.id === madeBy;

interface CodesDeps {
  readonly db: Db;
  readonly seal: Pick<Seal, "open">;
  readonly now: number;
}

type Caller = Pick<AuthContext, "userId" | "token">;

/** Rejects with 404 for another user's mask, and with 403 for a token that may not read its codes. */
const assertMayRead = async (db: Db, { userId, token }: Caller, maskId: string): Promise<void> => {
  await assertMask(db, { userId, maskId });
  if (!token || mayReadCodesOf(token, await findMaker(db, { userId, maskId }))) return;
  throw new UseCaseError("forbidden", "This API token sees codes of masks that it created only.", {
    extra: { scope: "codes:read:all" },
  });
};

const toAnswer = (seal: Pick<Seal, "open">, rows: readonly CodeRow[]) => ({
  codes: rows.flatMap((row) => toMailCode(seal, row) ?? []),
});

/** Returns the codes that a caller may read, newest first. */
export const listUserCodes = async ({ db, seal, now }: CodesDeps, { userId, token }: Caller) => {
  const madeBy = token && !readsAll(token) ? { madeBy: token.id } : {};
  return toAnswer(seal, await findCodes(db, { userId, ...madeBy }, now));
};

/** Returns the codes of a mask; rejects with 404 for another user's mask, and with 403 for a token that may not read them. */
export const listCodesOfMask = async (
  { db, seal, now }: CodesDeps,
  { userId, token }: Caller,
  maskId: string,
) => {
  await assertMayRead(db, { userId, token }, maskId);
  return toAnswer(seal, await findCodes(db, { userId, maskId }, now));
};

/** Deletes a code that was used; rejects as the list does, and with 404 without such a code. */
export const useCode = async (
  { db, now }: Omit<CodesDeps, "seal">,
  { userId, token }: Caller,
  { maskId, codeId }: { readonly maskId: string; readonly codeId: string },
): Promise<void> => {
  await assertMayRead(db, { userId, token }, maskId);
  if (!(await deleteUsedCode(db, { id: codeId, userId, maskId }, now)))
    throw new UseCaseError("missing", "This code was used already, or has expired.");
};
