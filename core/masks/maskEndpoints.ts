import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { readableList } from "../api/wireCodecs.ts";
import { Mask, MaskEdit, NewMask } from "./mask.ts";
import { maskListPath } from "./maskQuery.ts";
import { MaskStatistics } from "./maskStatistics.ts";

/** The mask's id in the path; the server answers 404 for an unknown id and for a mask of another user. */
const params = t.type({ id: t.string });

/**
 * Lists masks, newest first: all, or at most `limit` (1 to 1,000) of those that follow the mask `after`. `isMore`
 * says that others follow the last one; `version` names the state of a complete list, as the socket does (both extend the contract).
 */
export const listMasks = endpoint("GET", maskListPath, {
  params: t.partial({ after: t.string, limit: t.string }),
  answer: t.intersection([
    t.type({ masks: readableList(Mask) }),
    t.partial({ isMore: t.literal(true), version: t.string }),
  ]),
});
export const getMask = endpoint("GET", "/masks/:id", { params, answer: Mask });
export const postMask = endpoint("POST", "/masks", { body: NewMask, answer: Mask });
export const putMask = endpoint("PUT", "/masks/:id", { params, body: MaskEdit, answer: Mask });
export const deleteMask = endpoint("DELETE", "/masks/:id", { params });
/** Extends the contract: brings back a mask within 30 days of its deletion, with its rules and figures. */
export const restoreMask = endpoint("POST", "/masks/:id/restore", { params, answer: Mask });
export const getMaskStatistics = endpoint("GET", "/masks/:id/stats", {
  params,
  answer: MaskStatistics,
});
