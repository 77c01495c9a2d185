import type { Mask, MaskEdit, MaskId, NewMask } from "../../../core/masks/mask.ts";
import type { RecordAnswer } from "../../platform/store/recordAnswer.ts";
import type { MaskAuthor } from "../maskChanges/maskChanges.ts";
import type { MaskDeps } from "../maskChanges/maskDeps.ts";
import { createCreateMask } from "./createMask.ts";
import { createEditMask } from "./editMask.ts";
import type { MaskLists } from "./list/maskLists.ts";
import { getMask, toMask } from "./maskQueries.ts";

/** The use cases of a user's masks (MA7). Those of one mask reject with 404 for another user's mask. */
export interface UserMasks {
  readonly list: MaskLists["list"];
  readonly get: (userId: string, id: MaskId) => Promise<Mask>;
  readonly create: (author: MaskAuthor, newMask: NewMask, recordAnswer: RecordAnswer<Mask>) => Promise<Mask>;
  readonly edit: (
    author: MaskAuthor,
    change: { readonly id: MaskId; readonly edit: MaskEdit; readonly baseVersion: string | null },
    recordAnswer: RecordAnswer<Mask>,
  ) => Promise<Mask>;
}

/** Creates the use cases of masks. */
export const createUserMasks = (deps: MaskDeps, list: MaskLists["list"]): UserMasks => {
  const { database, senderLists } = deps;
  return {
    list,
    get: async (userId, id) => toMask(await getMask(database.db, userId, id), senderLists),
    create: createCreateMask(deps),
    edit: createEditMask(deps),
  };
};
