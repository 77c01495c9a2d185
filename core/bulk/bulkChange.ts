import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { refined } from "../api/textCodecs.ts";
import { Labels } from "../labels/label.ts";
import { ForwardTo } from "../masks/mask.ts";

/** The most masks of one request; a client sends more in parts. */
export const maxBulkIds = 250;

/** A change of several masks. Rules are added after those that a mask has; one with a known id replaces it. */
export const BulkChange = t.union([
  t.type({ kind: t.literal("switch"), active: t.boolean }),
  t.type({ kind: t.literal("pin"), pinned: t.boolean }),
  t.type({ kind: t.literal("label"), add: Labels, remove: Labels }),
  t.type({ kind: t.literal("move"), forwardTo: ForwardTo }),
  t.type({ kind: t.literal("addRules"), rules: t.array(t.unknown) }),
  t.type({ kind: t.literal("removeRules"), ids: t.array(t.string) }),
  t.type({ kind: t.literal("delete") }),
  t.type({ kind: t.literal("restore") }),
]);
export type BulkChange = t.TypeOf<typeof BulkChange>;

/** The result for one mask: the status and the message that a request for it alone would have had. */
const BulkResult = t.intersection([
  t.type({ id: t.string, status: t.number }),
  t.partial({ message: t.string }),
]);
export type BulkResult = t.TypeOf<typeof BulkResult>;

const Ids = refined(
  t.readonlyArray(t.string),
  (ids) => ids.length > 0 && ids.length <= maxBulkIds,
  `A change takes 1 to ${maxBulkIds} masks at once`,
);

/**
 * Changes several masks in one transaction, with a result for each in the order of `ids`. A mask that cannot be changed
 * keeps the others from nothing; what concerns all of them, such as an address that cannot be used, refuses the request. A new
 * address to forward to needs what POST /masks needs for it.
 */
export const postBulkChange = endpoint("POST", "/masks/bulk", {
  tokens: "masks:write",
  body: t.type({ ids: Ids, change: BulkChange }),
  answer: t.type({ results: t.readonlyArray(BulkResult) }),
});
