import type { Database } from "./database.ts";
import type { Engine } from "./engine.ts";
import type { ChangeEvent } from "./events.ts";

/** A value that was read for a user. */
export interface UserValue<Value> {
  readonly userId: string;
  readonly value: Value;
}

/** A value that is out of date. */
export interface OutdatedValue<Value> {
  readonly value: Value;
  /** The changes of the user's data since it was read. */
  readonly changes: readonly Pick<ChangeEvent, "resource" | "resourceId">[];
}

/** Keeps values until an event says that the user's data has changed, in whatever process. */
export interface UserCache<Value> {
  /**
   * Returns the value of a key; `load` reads it when it is unknown or out of date, and is given the outdated one where
   * few things have changed.
   */
  readonly get: (
    key: string,
    load: (outdated?: OutdatedValue<Value>) => Promise<UserValue<Value> | undefined>,
  ) => Promise<Value | undefined>;
}

export interface UserCacheOptions<Value> {
  /** The resource whose events count; events of every resource by default. */
  readonly resource?: ChangeEvent["resource"];
  /** The maximum total weight of the kept values; the least recently used are dropped first. */
  readonly maxWeight: number;
  readonly weightOf: (value: Value) => number;
  /** True if a value holds no longer for another reason than an event. */
  readonly isExpired?: (value: Value) => boolean;
}

interface Entry<Value> extends UserValue<Value> {
  /** The newest event when the value was read or last found valid. */
  mark: number;
  readonly weight: number;
}

/** After more events than this a value is read again instead of looking through the events. */
const maxEvents = 20_000;

/** After more changes than this a value is read as a whole. */
const maxChanges = 50;

const newestEvent = "select max(id) as id from events";
const userEvents = `select resource, resource_id as "resourceId" from events
  where id > $1 and user_id = $2 and (resource = $3 or $4 = '') limit ${maxChanges + 1}`;

/** Returns the newest committed event; requests that are read in one turn of the event loop share one query. */
const createNewestEvent = (engine: Engine): (() => Promise<number>) => {
  let shared: Promise<number> | null = null;
  const query = async (): Promise<number> => {
    const [row] = await engine.read<{ id: number | null }>(newestEvent, []);
    return row?.id ?? 0;
  };
  return () => {
    if (shared) return shared;
    shared = query();
    setImmediate(() => {
      shared = null;
    });
    return shared;
  };
};

/** One for all caches on an engine. */
const newestEvents = new WeakMap<Engine, () => Promise<number>>();

const newestEventOf = (engine: Engine): (() => Promise<number>) => {
  const known = newestEvents.get(engine) ?? createNewestEvent(engine);
  newestEvents.set(engine, known);
  return known;
};

/**
 * Creates an empty cache. An unchanged value costs one or two look-ups by key in the newest events and is never
 * older than the last commit before the request. PostgreSQL commits events out of order, so values are always read there.
 */
export const createUserCache = <Value>(
  { engine }: Pick<Database, "engine">,
  { resource = "", maxWeight, weightOf, isExpired = () => false }: UserCacheOptions<Value>,
): UserCache<Value> => {
  const newest = newestEventOf(engine);
  const entries = new Map<string, Entry<Value>>();
  let total = 0;

  const drop = (key: string): void => {
    total -= entries.get(key)?.weight ?? 0;
    entries.delete(key);
  };

  const keep = (key: string, entry: Entry<Value>): void => {
    drop(key);
    entries.set(key, entry);
    total += entry.weight;
    for (const oldest of entries.keys()) {
      if (total <= maxWeight || oldest === key) break;
      drop(oldest);
    }
  };

  /** Returns what has changed since a value was read; null when that is too much to look through. */
  const changesSince = async (
    { mark, userId, value }: Entry<Value>,
    newest: number,
  ): Promise<OutdatedValue<Value>["changes"] | null> => {
    if (isExpired(value) || newest - mark > maxEvents) return null;
    if (mark === newest) return [];
    const changes = await engine.read<OutdatedValue<Value>["changes"][number]>(userEvents, [
      mark,
      userId,
      resource,
      resource,
    ]);
    return changes.length > maxChanges ? null : changes;
  };

  return {
    get: async (key, load) => {
      if (engine.name === "postgresql") return (await load())?.value;
      const mark = await newest();
      const known = entries.get(key);
      const changes = known ? await changesSince(known, mark) : null;
      if (known && changes?.length === 0) {
        known.mark = mark;
        entries.delete(key);
        entries.set(key, known);
        return known.value;
      }
      const loaded = await load(known && changes ? { value: known.value, changes } : undefined);
      if (loaded) keep(key, { ...loaded, mark, weight: weightOf(loaded.value) });
      else drop(key);
      return loaded?.value;
    },
  };
};
