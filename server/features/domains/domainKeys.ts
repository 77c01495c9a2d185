import { createPrivateKey, type KeyObject } from "node:crypto";
import { filter } from "rxjs";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import type { Database } from "../../platform/store/database.ts";
import type { EventFeed } from "../../platform/store/eventFeed.ts";
import { generateRsaKey, type SigningKey } from "../../proof/dkimKeys.ts";
import { domainKeysResource } from "./domainQueries.ts";
import { domainSelector } from "./domainRecords.ts";
import type { DomainRow } from "./domainTables.ts";

const rereadMs = 60_000;

const sealContext = (id: string): string => `dkim of domain ${id}`;

/** The columns of the key of a new domain. */
export type DomainKeyColumns = Pick<DomainRow, "dkim_private" | "dkim_public">;

/** Creates the key that signs the mail of one domain. */
export const createDomainKey = async (seal: Pick<Seal, "seal">, id: string): Promise<DomainKeyColumns> => {
  const { privateKey, publicKey } = await generateRsaKey();
  return { dkim_private: seal.seal(privateKey, sealContext(id)), dkim_public: publicKey };
};

/**
 * Creates the function that returns the keys of the installation together with those of proven domains whose record is
 * published. They are reread when a domain has changed in any process, and once a minute; the list stays the same object
 * while nothing has changed.
 */
export const createSigningKeys = (
  {
    database,
    seal,
    clock,
    feed,
  }: {
    readonly database: Database;
    readonly seal: Pick<Seal, "open">;
    readonly clock: Pick<Clock, "now">;
    readonly feed: Pick<EventFeed, "changes$">;
  },
  ofInstallation: () => Promise<readonly SigningKey[]>,
): (() => Promise<readonly SigningKey[]>) => {
  let opened = new Map<string, { readonly sealed: string; readonly key: KeyObject }>();
  let known: { readonly own: readonly SigningKey[]; readonly all: readonly SigningKey[] } | null = null;
  let reading: Promise<readonly SigningKey[]> | null = null;
  let readAt = 0;
  feed.changes$.pipe(filter(({ resource }) => resource === domainKeysResource)).subscribe(() => {
    reading = null;
  });

  const readDomains = async (): Promise<readonly SigningKey[]> => {
    const rows = await database.db
      .selectFrom("domains")
      .where("proven_at", "is not", null)
      .where("dkim_published", "=", 1)
      .where("dkim_private", "is not", null)
      .select(["id", "user_id as userId", "name", "dkim_private as sealed"])
      .orderBy("name")
      .execute();
    const before = opened;
    opened = new Map(
      rows.flatMap(({ id, sealed }) => {
        if (sealed === null) return [];
        const same = before.get(id)?.sealed === sealed ? before.get(id) : undefined;
        return [[id, same ?? { sealed, key: createPrivateKey(seal.open(sealed, sealContext(id))) }] as const];
      }),
    );
    return rows.flatMap(({ id, userId, name }) => {
      const privateKey = opened.get(id)?.key;
      if (!privateKey) return [];
      return [
        { selector: domainSelector, algorithm: "rsa-sha256" as const, privateKey, domain: name, userId },
      ];
    });
  };

  const isSame = (keys: readonly SigningKey[], others: readonly SigningKey[]): boolean =>
    keys.length === others.length && keys.every(({ privateKey }, n) => others[n]?.privateKey === privateKey);

  return async () => {
    const own = await ofInstallation();
    if (!reading || clock.now() - readAt >= rereadMs) {
      readAt = clock.now();
      reading = readDomains();
      reading.catch(() => {
        reading = null;
      });
    }
    const all = [...own, ...(await reading)];
    if (!known || known.own !== own || !isSame(known.all, all)) known = { own, all };
    return known.all;
  };
};
