import type { KeyBackup } from "../../../core/passkeys/keyBackupEndpoints.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Db } from "../../platform/store/database.ts";
import { appendEvent } from "../../platform/store/events.ts";
import { isId } from "../../platform/store/id.ts";
import { getLockedUser } from "../../platform/store/users.ts";
import { findPasskeyByCredential } from "./passkeyQueries.ts";

const gone = (): UseCaseError => new UseCaseError("missing", "This passkey is removed already.");

/** Locks the user and announces a change of the account. */
const recordChange = async (
  { clock }: Pick<ServerContext, "clock">,
  tx: Db,
  userId: string,
): Promise<void> => {
  await getLockedUser(tx, userId);
  const announced = { userId, resource: "account", resourceId: null, action: "updated" };
  await appendEvent(tx, announced, clock.now());
};

/** Returns the backups of private keys that a user's passkeys open. */
export const listKeyBackups = async (db: Db, userId: string): Promise<readonly KeyBackup[]> => {
  const rows = await db
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
};

/** Keeps a backup in place of the one before it. Rejects with 404 when the user has no such passkey. */
export const keepKeyBackup = async (
  context: Pick<ServerContext, "clock">,
  tx: Db,
  userId: string,
  { credentialId, fingerprint, backup }: KeyBackup,
): Promise<void> => {
  await recordChange(context, tx, userId);
  const passkey = await findPasskeyByCredential(tx, credentialId);
  if (passkey?.user_id !== userId) throw gone();
  const columns = { fingerprint, backup, created_at: context.clock.now() };
  await tx
    .insertInto("key_backups")
    .values({ passkey_id: passkey.id, user_id: userId, ...columns })
    .onConflict((conflict) => conflict.column("passkey_id").doUpdateSet(columns))
    .execute();
};

/** Rejects with 404 when the user has no such passkey. */
export const removeKeyBackup = async (
  context: Pick<ServerContext, "clock">,
  tx: Db,
  userId: string,
  passkeyId: string,
): Promise<void> => {
  await recordChange(context, tx, userId);
  const passkey = isId(passkeyId)
    ? await tx
        .selectFrom("passkeys")
        .select("id")
        .where("id", "=", passkeyId)
        .where("user_id", "=", userId)
        .executeTakeFirst()
    : undefined;
  if (!passkey) throw gone();
  await tx
    .deleteFrom("key_backups")
    .where("passkey_id", "=", passkey.id)
    .where("user_id", "=", userId)
    .execute();
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
