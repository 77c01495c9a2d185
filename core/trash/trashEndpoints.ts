import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { isMore, listPage } from "../api/listPage.ts";
import { readableList } from "../api/wireCodecs.ts";
import { Mask } from "../masks/mask.ts";

/** The number of days for which a deleted mask can be restored. */
export const trashDays = 30;

/** A deleted mask that can be restored until `until`; both times are in ISO 8601. */
export const TrashedMask = t.intersection([Mask, t.type({ deleted: t.string, until: t.string })]);
export type TrashedMask = t.TypeOf<typeof TrashedMask>;

/**
 * Lists the masks that can be restored, the last deleted first: the last 500, or at most `limit` (1 to 1,000) of those that follow
 * the mask `after`. `isMore` says that others follow. Extends the contract.
 */
export const listTrash = endpoint("GET", "/masks/trash", {
  tokens: "masks:read",
  params: t.partial(listPage),
  answer: t.intersection([t.type({ masks: readableList(TrashedMask) }), t.partial(isMore)]),
});

/** Deletes a mask of the trash for good; its addresses are never assigned again. Extends the contract. */
export const deleteTrashedMask = endpoint("DELETE", "/masks/trash/:id", {
  tokens: "masks:write",
  params: t.type({ id: t.string }),
});
