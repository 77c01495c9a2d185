import { toSearchText } from "../../../core/kernel/searchText.ts";
import type { Db } from "../../platform/store/database.ts";
import { listWebhookRows } from "./webhookQueries.ts";

/** Renames a label in the filters of a user's webhooks, so that they go on with the same masks. */
export const renameLabelInWebhooks = async (
  db: Db,
  userId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> => {
  const key = toSearchText(from);
  for (const { id, labels } of await listWebhookRows(db, userId)) {
    const before = JSON.parse(labels) as readonly string[];
    if (!before.some((label) => toSearchText(label) === key)) continue;
    const renamed = [...new Set(before.map((label) => (toSearchText(label) === key ? to : label)))];
    await db
      .updateTable("webhooks")
      .set({ labels: JSON.stringify(renamed) })
      .where("id", "=", id)
      .execute();
  }
};
