import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { listPage } from "../api/listPage.ts";
import { withMessage } from "../api/textCodecs.ts";
import { asReceived, readableList } from "../api/wireCodecs.ts";
import { Mask, MaskEdit, NewMask } from "./mask.ts";
import { MaskSort } from "./maskListSettings.ts";
import { maskListPath } from "./maskQuery.ts";
import { MaskStatistics } from "./maskStatistics.ts";

/** The mask's id in the path; the server answers 404 for an unknown id and for a mask of another user. */
const params = t.type({ id: t.string });

const sort = withMessage(MaskSort, `Sort by one of ${Object.keys(MaskSort.keys).join(", ")}.`);

/**
 * Lists masks, newest first or in the order `sort` (`newest`, `name`, `lastMail`, `mostMail`, `mostForwarded`, `mostBlocked`), of those
 * that match the search `q` with its fields: all, or at most `limit` (1 to 1,000) of those that follow the mask `after`. `isMore`
 * says that others follow the last one; `version` names the state of the list as far as its last mask, of a complete list as the
 * socket does, and `follows` that of the masks before the answer, where the server knows them (all three extend the contract).
 */
export const listMasks = endpoint("GET", maskListPath, {
  tokens: "masks:read",
  params: t.partial({ ...listPage, sort, q: t.string }),
  answer: t.intersection([
    t.type({ masks: readableList(asReceived(Mask)) }),
    t.partial({ isMore: t.literal(true), follows: t.string, version: t.string }),
  ]),
});
/** Returns a mask with its rules and statistics. */
export const getMask = endpoint("GET", "/masks/:id", { tokens: "masks:read", params, answer: Mask });
/**
 * Makes a mask with a new address; 403 over the limit of the plan, or for a prefix without the plan for it, 409 for a chosen address
 * that was in use before, and without a key for mail that stays in the app. A new address to forward to, here and in its rules,
 * needs a recent proof of a session, and the scope `destinations` of an API token; `showCodes` needs the proof, or the scope
 * `codes:read`.
 */
export const postMask = endpoint("POST", "/masks", {
  status: 201,
  tokens: "masks:create",
  body: NewMask,
  answer: Mask,
});
/**
 * Changes the fields that the body names. With the `ETag` of the mask in `If-Match`, rules are merged with those that
 * other devices have saved since. A new address to forward to, and `showCodes`, need what POST /masks needs for them. 409 without a key for mail that
 * stays in the app.
 */
export const putMask = endpoint("PUT", "/masks/:id", {
  tokens: "masks:write",
  params,
  body: MaskEdit,
  answer: Mask,
});
/** Moves a mask to the trash: its mail is refused, and it can be restored for 30 days. */
export const deleteMask = endpoint("DELETE", "/masks/:id", { tokens: "masks:write", params });
/**
 * Extends the contract: brings back a mask within 30 days of its deletion, with its rules and figures. 403 over the limit of the plan,
 * 409 when its address belongs to another mask.
 */
export const restoreMask = endpoint("POST", "/masks/:id/restore", {
  tokens: "masks:write",
  params,
  answer: Mask,
});
/** Returns the figures of a mask, and those of its rules. */
export const getMaskStatistics = endpoint("GET", "/masks/:id/stats", {
  tokens: "masks:read",
  params,
  answer: MaskStatistics,
});
