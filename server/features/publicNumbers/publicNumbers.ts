import type { Db } from "../../platform/store/database.ts";

/** The kinds of things that have numbers. A correspondent belongs to a mask: its entity is "maskId:correspondentId". */
export type NumberedKind = "mask" | "destination" | "correspondent" | "domain";

/** Things of one kind of a user. */
interface OwnKind {
  readonly userId: string;
  readonly kind: NumberedKind;
}

/** The number of each entity. */
export type NumberOf = (entityId: string) => number;

const findNumbers = async (
  db: Db,
  { userId, kind }: OwnKind,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const rows = await db
    .selectFrom("public_numbers")
    .select(["entity_id", "number"])
    .where("user_id", "=", userId)
    .where("kind", "=", kind)
    .where("entity_id", "in", [...ids])
    .execute();
  return new Map(rows.map(({ entity_id: id, number }) => [id, Number(number)]));
};

/** The number of tries in which numbers that another request has just given are passed over. */
const maxTries = 20;

/** Gives the next numbers of the user to things that have none. */
const assign = async (db: Db, { userId, kind }: OwnKind, ids: readonly string[]): Promise<void> => {
  const { last } = await db
    .selectFrom("public_numbers")
    .where("user_id", "=", userId)
    .select(({ fn }) => fn.max("number").as("last"))
    .executeTakeFirstOrThrow();
  await db
    .insertInto("public_numbers")
    .values(ids.map((id, n) => ({ user_id: userId, number: Number(last ?? 0) + n + 1, kind, entity_id: id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/**
 * Returns the numbers of a user's things, and gives one to each that has none. The caller has read them as the user's own.
 * A thing keeps its number, also when it is gone.
 */
export const numbersOf = async (db: Db, own: OwnKind, entityIds: Iterable<string>): Promise<NumberOf> => {
  const ids = [...new Set(entityIds)];
  let numbers: ReadonlyMap<string, number> = new Map();
  if (ids.length > 0) numbers = await findNumbers(db, own, ids);
  for (let tries = 0; tries < maxTries; tries += 1) {
    const missing = ids.filter((id) => !numbers.has(id));
    if (missing.length === 0) break;
    await assign(db, own, missing);
    numbers = await findNumbers(db, own, ids);
  }
  return (id) => {
    const number = numbers.get(id);
    if (number === undefined) throw new Error(`a ${own.kind} was not numbered`);
    return number;
  };
};

/** The greatest number that both databases and all clients read unchanged. */
const maxNumber = 2 ** 31 - 1;

const parseNumber = (number: number | string): number | undefined => {
  const parsed = typeof number === "number" ? number : /^\d{1,10}$/.test(number) ? Number(number) : 0;
  return Number.isInteger(parsed) && parsed > 0 && parsed <= maxNumber ? parsed : undefined;
};

/** Returns the ids of a user's things by their numbers; those that the user has not are left out. */
export const entitiesOf = async (
  db: Db,
  { userId, kind }: OwnKind,
  numbers: readonly (number | string)[],
): Promise<ReadonlyMap<number, string>> => {
  const parsed = numbers.flatMap((number) => parseNumber(number) ?? []);
  if (parsed.length === 0) return new Map();
  const rows = await db
    .selectFrom("public_numbers")
    .select(["number", "entity_id"])
    .where("user_id", "=", userId)
    .where("kind", "=", kind)
    .where("number", "in", parsed)
    .execute();
  return new Map(rows.map(({ number, entity_id: id }) => [Number(number), id]));
};

/** Returns the id of a user's thing by its number, as it stands in a path; undefined for one that the user has not. */
export const entityOf = async (db: Db, own: OwnKind, number: number | string): Promise<string | undefined> =>
  [...(await entitiesOf(db, own, [number])).values()][0];
