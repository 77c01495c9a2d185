import { toSearchText } from "../../../core/kernel/searchText.ts";
import { changeLabels } from "../../../core/labels/label.ts";
import type { Label, LabelChange, LabelColor } from "../../../core/labels/labelEndpoints.ts";
import { maxStoredLabels } from "../../../core/labels/labelEndpoints.ts";
import { fieldError, UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Db } from "../../platform/store/database.ts";
import { lockUser } from "../../platform/store/users.ts";
import { timeOfEdit } from "../maskChanges/maskChanges.ts";
import { renameLabelInWebhooks } from "../webhooks/renameLabel.ts";
import { renameLabelInRules } from "./labelRules.ts";

const labelNotFound = (): UseCaseError => new UseCaseError("missing", "This label no longer exists");

const byName = new Intl.Collator("en", { numeric: true, sensitivity: "base" }).compare;

interface LabeledMask {
  readonly id: string;
  readonly labels: readonly string[];
  readonly isDeleted: boolean;
}

const readLabeledMasks = async (db: Db, userId: string): Promise<readonly LabeledMask[]> => {
  const rows = await db
    .selectFrom("masks")
    .select(["id", "labels", "deleted_at"])
    .where("user_id", "=", userId)
    .where("labels", "!=", "[]")
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(({ id, labels, deleted_at }) => ({
    id,
    labels: JSON.parse(labels) as readonly string[],
    isDeleted: deleted_at !== null,
  }));
};

const storedLabels = (db: Db, userId: string) =>
  db.selectFrom("labels").select(["name", "name_key", "color"]).where("user_id", "=", userId).execute();

/** Returns the colors of a user's labels by name without case and accents; gray ones are left out. */
export const readLabelColors = async (db: Db, userId: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await storedLabels(db, userId))
      .filter(({ color }) => color !== "gray")
      .map(({ name_key, color }) => [name_key, color]),
  );

/** Returns a user's labels by name: those that masks have, and those that were made without one. */
export const readLabels = async (db: Db, userId: string): Promise<Label[]> => {
  const labels = new Map<string, Label>(
    (await storedLabels(db, userId)).map(({ name, name_key, color }) => [
      name_key,
      { name, color, masks: 0 },
    ]),
  );
  for (const mask of await readLabeledMasks(db, userId)) {
    if (mask.isDeleted) continue;
    for (const name of mask.labels) {
      const key = toSearchText(name);
      const known = labels.get(key) ?? { name, color: "gray" as const, masks: 0 };
      labels.set(key, { ...known, masks: known.masks + 1 });
    }
  }
  return [...labels.values()].sort((one, other) => byName(one.name, other.name));
};

const findLabel = async (db: Db, userId: string, name: string): Promise<Label | undefined> => {
  const key = toSearchText(name);
  return (await readLabels(db, userId)).find((label) => toSearchText(label.name) === key);
};

const storeLabel = async (db: Db, userId: string, name: string, color: LabelColor): Promise<void> => {
  const stored = await storedLabels(db, userId);
  const key = toSearchText(name);
  if (stored.length >= maxStoredLabels && !stored.some(({ name_key }) => name_key === key))
    throw new UseCaseError("forbidden", `You have ${maxStoredLabels} labels already. Delete one first.`);
  await db
    .insertInto("labels")
    .values({ user_id: userId, name, name_key: key, color })
    .onConflict((conflict) => conflict.columns(["user_id", "name_key"]).doUpdateSet({ name, color }))
    .execute();
};

const forgetLabel = (db: Db, userId: string, name: string) =>
  db.deleteFrom("labels").where("user_id", "=", userId).where("name_key", "=", toSearchText(name)).execute();

/** The most ids of one statement. */
const idsAtOnce = 1_000;

/** Replaces a label on all masks that have it, deleted ones too; null removes it. */
const replaceOnMasks = async (
  db: Db,
  userId: string,
  { name, by, now }: { readonly name: string; readonly by: string | null; readonly now: number },
): Promise<void> => {
  const key = toSearchText(name);
  const idsOf = new Map<string, string[]>();
  for (const { id, labels } of await readLabeledMasks(db, userId)) {
    if (!labels.some((label) => toSearchText(label) === key)) continue;
    const renamed = labels.flatMap((label) => (toSearchText(label) === key ? (by ?? []) : [label]));
    const text = JSON.stringify(changeLabels(renamed, { add: [], remove: [] }));
    idsOf.set(text, [...(idsOf.get(text) ?? []), id]);
  }
  for (const [labels, ids] of idsOf)
    for (let from = 0; from < ids.length; from += idsAtOnce)
      await db
        .updateTable("masks")
        .set({ labels, updated_at: timeOfEdit(now) })
        .where("user_id", "=", userId)
        .where("id", "in", ids.slice(from, from + idsAtOnce))
        .execute();
};

/** Makes a label, or returns the one with this name. */
export const createLabel = async (
  db: Db,
  userId: string,
  { name, color = "gray" }: { readonly name: string; readonly color?: LabelColor | undefined },
): Promise<Label> => {
  await lockUser(db, userId);
  const known = await findLabel(db, userId, name);
  if (known) return known;
  await storeLabel(db, userId, name.trim(), color);
  return { name: name.trim(), color, masks: 0 };
};

/** Renames, merges or colors a label of a user, on all masks that have it and in the rules that name it. */
export const editLabel = async (
  db: Db,
  userId: string,
  { name, change, now }: { readonly name: string; readonly change: LabelChange; readonly now: number },
): Promise<Label> => {
  await lockUser(db, userId);
  const before = await findLabel(db, userId, name);
  if (!before) throw labelNotFound();
  const wanted = change.name?.trim() ?? before.name;
  const other = await findLabel(db, userId, wanted);
  const isOther = other !== undefined && toSearchText(other.name) !== toSearchText(before.name);
  if (isOther && change.merge !== true)
    throw fieldError(
      "conflict",
      "name",
      `There is a label ${other.name} already. Merge them, or choose another name.`,
    );
  const next = isOther ? other.name : wanted;
  const color = change.color ?? (isOther ? other.color : before.color);
  if (next !== before.name) {
    await replaceOnMasks(db, userId, { name: before.name, by: next, now });
    await renameLabelInRules(db, userId, { from: before.name, to: next, now });
    await renameLabelInWebhooks(db, userId, { from: before.name, to: next });
    await forgetLabel(db, userId, before.name);
  }
  await storeLabel(db, userId, next, color);
  const after = await findLabel(db, userId, next);
  if (!after) throw labelNotFound();
  return after;
};

/** Removes a label of a user from all masks. */
export const removeLabel = async (
  db: Db,
  userId: string,
  { name, now }: { readonly name: string; readonly now: number },
): Promise<void> => {
  await lockUser(db, userId);
  const label = await findLabel(db, userId, name);
  if (!label) throw labelNotFound();
  await replaceOnMasks(db, userId, { name: label.name, by: null, now });
  await forgetLabel(db, userId, label.name);
};
