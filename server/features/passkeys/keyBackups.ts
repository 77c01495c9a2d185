import type { KeyBackup } from "../../../core/passkeys/keyBackupEndpoints.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Db } from "../../platform/store/database.ts";
import { appendEvent } from "../../platform/store/events.ts";
import { isId } from "../../platform/store/id.ts";
import type { RecordAnswer } from "../../platform/store/recordAnswer.ts";
import { getLockedUser } from "../../platform/store/users.ts";
import { findPasskeyByCredential } from "./passkeyQueries.ts";

/** The backups of private keys that a user's passkeys open. */
export interface UserKeyBackups {
  readonly list: (userId: string) => Promise<readonly KeyBackup[]>;
  /** Keeps a backup in place of the one before it. Rejects with 404 when the user has no such passkey. */
  readonly keep: (userId: string, backup: KeyBackup, recordAnswer: RecordAnswer<void>) => Promise<void>;
  /** Rejects with 404 when the user has no such passkey. */
  readonly remove: (userId: string, passkeyId: string, recordAnswer: RecordAnswer<void>) => Promise<void>;
}

const gone = (): UseCaseError => new UseCaseError("missing", "This passkey is removed already.");

export const createUserKeyBackups = ({
  database,
  clock,
  feed,
}: Pick<ServerContext, "database" | "clock" | "feed">): UserKeyBackups => {
  const change = async (userId: string, work: (db: Db) => Promise<void>): Promise<void> => {
    await database.transaction(async (db) => {
      await getLockedUser(db, userId);
      const announced = { userId, resource: "account", resourceId: null, action: "updated" };
      await appendEvent(db, announced, clock.now());
      await work(db);
    });
    feed.wake();
  };
  return {
    list: async (userId) => {
      const rows = await database.db
        .selectFrom("key_backups")
        .innerJoin("passkeys", "passkeys.id", "key_backups.passkey_id")
        .where("key_backups.user_id", "=", userId)
        .select(["passkeys.credential_id", "key_backups.fingerprint", "key_backups.backup"])
        .execute();
      return rows.map(({ credential_id: credentialId, fingerprint, backup }) => ({
        credentialId,
        fingerprint,
        backup,
      }));
    },

    keep: (userId, { credentialId, fingerprint, backup }, recordAnswer) =>
      change(userId, async (db) => {
        const passkey = await findPasskeyByCredential(db, credentialId);
        if (passkey?.user_id !== userId) throw gone();
        const columns = { fingerprint, backup, created_at: clock.now() };
        await db
          .insertInto("key_backups")
          .values({ passkey_id: passkey.id, user_id: userId, ...columns })
          .onConflict((conflict) => conflict.column("passkey_id").doUpdateSet(columns))
          .execute();
        await recordAnswer(db);
      }),

    remove: (userId, passkeyId, recordAnswer) =>
      change(userId, async (db) => {
        const passkey = isId(passkeyId)
          ? await db
              .selectFrom("passkeys")
              .select("id")
              .where("id", "=", passkeyId)
              .where("user_id", "=", userId)
              .executeTakeFirst()
          : undefined;
        if (!passkey) throw gone();
        await db
          .deleteFrom("key_backups")
          .where("passkey_id", "=", passkey.id)
          .where("user_id", "=", userId)
          .execute();
        await recordAnswer(db);
      }),
  };
};

/** Returns the ids of a user's passkeys that open the key in use. */
export const openingPasskeys = async (db: Db, userId: string): Promise<ReadonlySet<string>> => {
  const rows = await db
    .selectFrom("key_backups")
    .innerJoin("public_keys", (join) =>
      join
        .onRef("public_keys.user_id", "=", "key_backups.user_id")
        .onRef("public_keys.fingerprint", "=", "key_backups.fingerprint"),
    )
    .where("key_backups.user_id", "=", userId)
    .select("key_backups.passkey_id")
    .execute();
  return new Set(rows.map(({ passkey_id: id }) => id));
};
