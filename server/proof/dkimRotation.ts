import { createPrivateKey } from "node:crypto";
import { dayOf } from "../../core/kernel/calendarDay.ts";
import { dayMs, minuteMs } from "../../core/kernel/durations.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Seal } from "../platform/ops/secrets.ts";
import type { Database, Db } from "../platform/store/database.ts";
import {
  type DkimKeyInfo,
  generatePair,
  isAlgorithm,
  type NewKey,
  type SigningKey,
  sealContext,
  toInfo,
} from "./dkimKeys.ts";

export interface DkimKeysDeps {
  readonly database: Database;
  readonly seal: Seal;
  readonly clock: Pick<Clock, "now">;
  readonly domain: string;
}

/** The number of days for which the records of replaced keys are still needed, for mail that was signed with them. */
export const retiredKeyDays = 7;
const retiredForMs = retiredKeyDays * dayMs;
/** The time within which all processes sign with new keys. */
export const rereadMs = minuteMs;

/**
 * Keeps the DKIM keys of this installation in the store.
 */
export class DkimKeys {
  readonly #deps: DkimKeysDeps;
  #known: { readonly keys: Promise<readonly SigningKey[]>; readonly readAt: number } | null = null;

  constructor(deps: DkimKeysDeps) {
    this.#deps = deps;
  }

  /** Creates the first active pair when there is none; processes that start at the same time agree on one. */
  readonly ensure = async (): Promise<void> => {
    if ((await this.#inState(this.#deps.database.db, "active")).length > 0) return;
    const pair = await generatePair();
    await this.#deps.database.transaction(async (db) => {
      if ((await this.#inState(db, "active")).length === 0) await this.#add(db, "active", pair);
    });
  };

  /** Returns all keys, newest first. */
  readonly list = (): Promise<readonly DkimKeyInfo[]> => this.#read(this.#deps.database.db);

  /** Creates the next pair, unless it exists, and returns it with the records to publish. */
  readonly prepareRotation = async (): Promise<readonly DkimKeyInfo[]> => {
    const prepared = await this.#inState(this.#deps.database.db, "next");
    if (prepared.length > 0) return prepared;
    const pair = await generatePair();
    return this.#deps.database.transaction(async (db) => {
      if ((await this.#inState(db, "next")).length === 0) await this.#add(db, "next", pair);
      return this.#inState(db, "next");
    });
  };

  /** Activates the next pair and retires the active one; returns the new active pair, empty when none was prepared. */
  readonly activateRotation = (): Promise<readonly DkimKeyInfo[]> =>
    this.#deps.database.transaction(async (db) => {
      const now = this.#deps.clock.now();
      if ((await this.#inState(db, "next")).length === 0) return [];
      const set = db.updateTable("dkim_keys");
      await set.set({ state: "retired", retired_at: now }).where("state", "=", "active").execute();
      await set.set({ state: "active", active_from: now }).where("state", "=", "next").execute();
      this.#known = null;
      return this.#inState(db, "active");
    });

  /** Deletes keys that were retired more than 7 days ago; returns their selectors. */
  readonly prune = async (): Promise<readonly string[]> => {
    const rows = await this.#deps.database.db
      .deleteFrom("dkim_keys")
      .where("state", "=", "retired")
      .where("retired_at", "<", this.#deps.clock.now() - retiredForMs)
      .returning("selector")
      .execute();
    return rows.map(({ selector }) => selector);
  };

  /** Returns the active keys, reread once a minute, so that a rotation in another process takes effect. */
  readonly active = (): Promise<readonly SigningKey[]> => {
    if (this.#known && this.#deps.clock.now() - this.#known.readAt < rereadMs) return this.#known.keys;
    const keys = this.#readSigningKeys();
    this.#known = { keys, readAt: this.#deps.clock.now() };
    keys.catch(() => {
      this.#known = null;
    });
    return keys;
  };

  async #read(db: Db): Promise<readonly DkimKeyInfo[]> {
    const rows = await db
      .selectFrom("dkim_keys")
      .selectAll()
      .orderBy("created_at", "desc")
      .orderBy("selector", "desc")
      .execute();
    return rows.flatMap((row) => toInfo(row, this.#deps.domain));
  }

  async #inState(db: Db, state: DkimKeyInfo["state"]): Promise<readonly DkimKeyInfo[]> {
    return (await this.#read(db)).filter((key) => key.state === state);
  }

  /** Selectors are the first free ones of the day; a pair that another process has stored stays. */
  async #add(db: Db, state: "next" | "active", pair: readonly NewKey[]): Promise<void> {
    const now = this.#deps.clock.now();
    const day = dayOf(now).replaceAll("-", "");
    const taken = new Set((await this.#read(db)).map(({ selector }) => selector));
    const suffix = Array.from({ length: 100 }, (_, n) => (n === 0 ? "" : `-${n + 1}`)).find(
      (text) => !taken.has(`b${day}r${text}`) && !taken.has(`b${day}e${text}`),
    );
    for (const { algorithm, privateKey, publicKey } of pair) {
      const selector = `b${day}${algorithm === "rsa-sha256" ? "r" : "e"}${suffix ?? ""}`;
      await db
        .insertInto("dkim_keys")
        .values({
          selector,
          algorithm,
          state,
          private_key: this.#deps.seal.seal(privateKey, sealContext(selector)),
          public_key: publicKey,
          created_at: now,
          active_from: state === "active" ? now : null,
          retired_at: null,
        })
        .onConflict((conflict) => conflict.column("selector").doNothing())
        .execute();
    }
  }

  async #readSigningKeys(): Promise<readonly SigningKey[]> {
    const rows = await this.#deps.database.db
      .selectFrom("dkim_keys")
      .where("state", "=", "active")
      .select(["selector", "algorithm", "private_key"])
      .execute();
    return rows.flatMap(({ selector, algorithm, private_key: sealed }) =>
      isAlgorithm(algorithm)
        ? [
            {
              selector,
              algorithm,
              privateKey: createPrivateKey(this.#deps.seal.open(sealed, sealContext(selector))),
            },
          ]
        : [],
    );
  }
}
