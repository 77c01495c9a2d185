import type { Db } from "../../platform/store/database.ts";

/** The policy of a domain for the TLS of its mail servers (MTA-STS, RFC 8461). */
export interface TlsPolicy {
  readonly id: string;
  readonly mode: "enforce" | "testing" | "none";
  /** Names of its mail servers; "*." stands for one label. */
  readonly servers: readonly string[];
  readonly fetchedAt: number;
  readonly expiresAt: number;
}

const readModes = ["enforce", "testing", "none"] as const;

/** Returns the policy of a domain that has not ended; null without one. */
export const readPolicy = async (db: Db, domain: string, now: number): Promise<TlsPolicy | null> => {
  const row = await db
    .selectFrom("tls_policies")
    .selectAll()
    .where("domain", "=", domain)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  const mode = readModes.find((one) => one === row?.mode);
  if (!row || !mode) return null;
  const { policy_id, servers, fetched_at, expires_at } = row;
  return {
    id: policy_id,
    mode,
    servers: JSON.parse(servers) as string[],
    fetchedAt: fetched_at,
    expiresAt: expires_at,
  };
};

/** Stores the policy of a domain in the place of an earlier one. */
export const writePolicy = async (db: Db, domain: string, policy: TlsPolicy): Promise<void> => {
  const values = {
    policy_id: policy.id,
    mode: policy.mode,
    servers: JSON.stringify(policy.servers),
    fetched_at: policy.fetchedAt,
    expires_at: policy.expiresAt,
  };
  await db
    .insertInto("tls_policies")
    .values({ domain, ...values })
    .onConflict((on) => on.column("domain").doUpdateSet(values))
    .execute();
};

/** Deletes the policies that have ended. */
export const pruneTlsPolicies = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom("tls_policies").where("expires_at", "<=", now).execute();
};
