import * as t from "io-ts";
import { endpoint } from "../contract/endpoint.ts";
import { Mask, MaskEdit, NewMask } from "./mask.ts";
import { maskListPath } from "./maskPaths.ts";
import { MaskStatistics } from "./maskStatistics.ts";

/** An id as it stands in a path; what no mask has is answered 404, like a mask of somebody else. */
const params = t.type({ id: t.string });

export const listMasks = endpoint("GET", maskListPath, { answer: t.type({ masks: t.array(Mask) }) });
export const getMask = endpoint("GET", "/masks/:id", { params, answer: Mask });
export const postMask = endpoint("POST", "/masks", { body: NewMask, answer: Mask });
export const putMask = endpoint("PUT", "/masks/:id", { params, body: MaskEdit, answer: Mask });
export const deleteMask = endpoint("DELETE", "/masks/:id", { params });
export const getMaskStatistics = endpoint("GET", "/masks/:id/stats", {
  params,
  answer: MaskStatistics,
});
