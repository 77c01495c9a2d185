import { createPrivateKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import type { Selectable } from "kysely";
import { dayOf } from "../../core/kernel/calendarDay.ts";
import { dayMs } from "../../core/kernel/durations.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Seal } from "../platform/ops/secrets.ts";
import type { Database, Db } from "../platform/store/database.ts";
import type { DkimKeysTable } from "./tables.ts";

export type DkimAlgorithm = "rsa-sha256" | "ed25519-sha256";

/** A key pair as operators see it. */
export interface DkimKeyInfo {
  readonly selector: string;
  readonly algorithm: DkimAlgorithm;
  /**
   * "next" must be published and does not sign yet, "active" signs, and "retired" no longer signs; its record
   * stays published for a week, because mail that it signed may still be on its way.
   */
  readonly state: "next" | "active" | "retired";
  readonly createdAt: number;
  readonly activeFrom: number | null;
  readonly retiredAt: number | null;
  /** The record to publish; `name` has no final dot, `value` is one text. */
  readonly record: { readonly name: string; readonly type: "TXT"; readonly value: string };
}

/** A key that signs. */
export interface SigningKey {
  readonly selector: string;
  readonly algorithm: DkimAlgorithm;
  readonly privateKey: KeyObject;
  /** The domain whose mail it signs; absent for a key of the installation. */
  readonly domain?: string;
  /** The account that has proven the domain, whose mail alone the key signs; absent for a key of the installation. */
  readonly userId?: string;
}

/** The DKIM keys of this installation. */
export interface DkimKeys {
  /** Creates the first active pair when there is none; processes that start at the same time agree on one. */
  readonly ensure: () => Promise<void>;
  /** Returns all keys, newest first. */
  readonly list: () => Promise<readonly DkimKeyInfo[]>;
  /** Creates the next pair, unless it exists, and returns it with the records to publish. */
  readonly prepareRotation: () => Promise<readonly DkimKeyInfo[]>;
  /** Activates the next pair and retires the active one; returns the new active pair, empty when none was prepared. */
  readonly activateRotation: () => Promise<readonly DkimKeyInfo[]>;
  /** Deletes keys that were retired more than 7 days ago; returns their selectors. */
  readonly prune: () => Promise<readonly string[]>;
  /** Returns the active keys, reread once a minute, so that a rotation in another process takes effect. */
  readonly active: () => Promise<readonly SigningKey[]>;
}

export interface DkimKeysDeps {
  readonly database: Database;
  readonly seal: Seal;
  readonly clock: Pick<Clock, "now">;
  readonly domain: string;
}

/** How long the records of replaced keys are still needed, for mail that was signed with them. */
export const retiredKeyDays = 7;
const retiredForMs = retiredKeyDays * dayMs;
const rereadMs = 60_000;
/** More bits do not fit one DNS string, fewer are refused from 2024 on (RFC 8301, 3.2). */
const modulusLength = 2_048;

const generate = promisify(generateKeyPair);

const sealContext = (selector: string): string => `dkim ${selector}`;

interface NewKey {
  readonly algorithm: DkimAlgorithm;
  /** PKCS #8 in PEM. */
  readonly privateKey: string;
  /** In the format of the p= tag. */
  readonly publicKey: string;
}

const toNewKey = (
  algorithm: DkimAlgorithm,
  pair: { readonly privateKey: KeyObject; readonly publicKey: KeyObject },
): NewKey => {
  const spki = pair.publicKey.export({ type: "spki", format: "der" });
  return {
    algorithm,
    privateKey: pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    // An Ed25519 record has only the 32 bytes of the key (RFC 8463, 4).
    publicKey: (algorithm === "rsa-sha256" ? spki : spki.subarray(-32)).toString("base64"),
  };
};

/** Creates an RSA key. */
export const generateRsaKey = async (): Promise<NewKey> =>
  toNewKey("rsa-sha256", await generate("rsa", { modulusLength }));

const generatePair = async (): Promise<readonly NewKey[]> => [
  await generateRsaKey(),
  toNewKey("ed25519-sha256", await generate("ed25519")),
];

const isAlgorithm = (text: string): text is DkimAlgorithm =>
  text === "rsa-sha256" || text === "ed25519-sha256";
const isState = (text: string): text is DkimKeyInfo["state"] =>
  text === "next" || text === "active" || text === "retired";

const timeOf = (value: number | string | null): number | null => (value === null ? null : Number(value));

const toInfo = (row: Selectable<DkimKeysTable>, domain: string): readonly DkimKeyInfo[] => {
  const { selector, algorithm, state } = row;
  if (!isAlgorithm(algorithm) || !isState(state)) return [];
  const type = algorithm === "rsa-sha256" ? "rsa" : "ed25519";
  return [
    {
      selector,
      algorithm,
      state,
      createdAt: Number(row.created_at),
      activeFrom: timeOf(row.active_from),
      retiredAt: timeOf(row.retired_at),
      record: {
        name: `${selector}._domainkey.${domain}`,
        type: "TXT",
        value: `v=DKIM1; k=${type}; p=${row.public_key}`,
      },
    },
  ];
};

class StoredDkimKeys implements DkimKeys {
  readonly #deps: DkimKeysDeps;
  #known: { readonly keys: Promise<readonly SigningKey[]>; readonly readAt: number } | null = null;

  constructor(deps: DkimKeysDeps) {
    this.#deps = deps;
  }

  readonly ensure: DkimKeys["ensure"] = async () => {
    if ((await this.#inState(this.#deps.database.db, "active")).length > 0) return;
    const pair = await generatePair();
    await this.#deps.database.transaction(async (db) => {
      if ((await this.#inState(db, "active")).length === 0) await this.#add(db, "active", pair);
    });
  };

  readonly list: DkimKeys["list"] = () => this.#read(this.#deps.database.db);

  readonly prepareRotation: DkimKeys["prepareRotation"] = async () => {
    const prepared = await this.#inState(this.#deps.database.db, "next");
    if (prepared.length > 0) return prepared;
    const pair = await generatePair();
    return this.#deps.database.transaction(async (db) => {
      if ((await this.#inState(db, "next")).length === 0) await this.#add(db, "next", pair);
      return this.#inState(db, "next");
    });
  };

  readonly activateRotation: DkimKeys["activateRotation"] = () =>
    this.#deps.database.transaction(async (db) => {
      const now = this.#deps.clock.now();
      if ((await this.#inState(db, "next")).length === 0) return [];
      const set = db.updateTable("dkim_keys");
      await set.set({ state: "retired", retired_at: now }).where("state", "=", "active").execute();
      await set.set({ state: "active", active_from: now }).where("state", "=", "next").execute();
      this.#known = null;
      return this.#inState(db, "active");
    });

  readonly prune: DkimKeys["prune"] = async () => {
    const rows = await this.#deps.database.db
      .deleteFrom("dkim_keys")
      .where("state", "=", "retired")
      .where("retired_at", "<", this.#deps.clock.now() - retiredForMs)
      .returning("selector")
      .execute();
    return rows.map(({ selector }) => selector);
  };

  readonly active: DkimKeys["active"] = () => {
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

/** Creates the keys of a store. */
export const createDkimKeys = (deps: DkimKeysDeps): DkimKeys => new StoredDkimKeys(deps);
