import type { MaskStatistics } from "../../core/masks/maskStatistics.ts";
import { totalsOf } from "../store/countReads.ts";
import type { Db } from "../store/database.ts";
import type { FullMask } from "../store/masks.ts";

/** What a mask's mail was for (MA10); nothing where its owner has none classified. */
export const categoriesOf = async (
  db: Db,
  { id: maskId, user_id: userId }: Pick<FullMask, "id" | "user_id">,
): Promise<Pick<MaskStatistics, "aiCategories" | "lastCategory">> => {
  const totals = await totalsOf(db, { userId, maskId }, ["category"], { day: "", month: "" });
  const [last] = totals.toSorted((one, other) => other.lastAt - one.lastAt);
  if (!last) return {};
  return {
    aiCategories: Object.fromEntries(totals.map(({ key, n }) => [key, n])),
    lastCategory: last.key,
  };
};
