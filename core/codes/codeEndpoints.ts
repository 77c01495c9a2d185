import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { MailCode } from "../mail/mailCode.ts";

/** The minutes that a code is kept, and the most codes of a mask and of an account; a new one replaces the oldest. */
export const codeLimits = { minutes: 10, perMask: 5, perAccount: 20 } as const;

const answer = t.type({ codes: t.readonlyArray(MailCode) });

/**
 * Lists the codes that have arrived in the last 10 minutes, newest first, at masks with `showCodes`; with a key of the account they
 * are `sealed` to it. An API token sees those of masks that it created; with the scope `codes:read:all` those of all masks.
 */
export const listCodes = endpoint("GET", "/codes", { tokens: "codes:read", answer });

/**
 * Lists the codes of a mask as `GET /codes` does; at most 5. 404 when the user has no such mask, 403 for an API token that did not
 * create it and lacks the scope `codes:read:all`.
 */
export const listMaskCodes = endpoint("GET", "/masks/:id/codes", {
  tokens: "codes:read",
  params: t.type({ id: t.string }),
  answer,
});

/** Deletes a code that was used. 404 when the mask has none with this id; who may read it may delete it. */
export const deleteCode = endpoint("DELETE", "/masks/:id/codes/:codeId", {
  tokens: "codes:read",
  params: t.type({ id: t.string, codeId: t.string }),
});
