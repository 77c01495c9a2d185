import { createHash, createHmac } from "node:crypto";
import { type DomainName, isNameOf } from "../../../core/mail/domainName.ts";
import { SettingError } from "../config/settings.ts";
import { hasSecrets, openSecrets, type Secrets } from "../ops/secrets.ts";
import type { Db } from "../store/database.ts";

/** The only row. */
const id = "this";

/** The identity of an installation: its keys and the domain of its masks. */
interface Identity {
  readonly keys_mark: string;
  readonly mask_domain: string;
}

/** A value that differs for other keys and says nothing about them. */
const markOf = ({ signing, hashing, sealing }: Secrets): string => {
  const others = [signing, sealing].map((key) => createHash("sha256").update(key).digest("base64url"));
  return createHmac("sha256", hashing)
    .update(JSON.stringify(["installation", ...others]))
    .digest("base64url");
};

const readIdentity = (db: Db): Promise<Identity | undefined> =>
  db.selectFrom("installation").where("id", "=", id).select(["keys_mark", "mask_domain"]).executeTakeFirst();

const otherKeys = (dataDir: string): SettingError =>
  new SettingError(
    `DATA_DIR is ${JSON.stringify(dataDir)}; expected a folder with the signing.key, hashing.key and sealing.key of the installation that the database belongs to: copy them there, name another database, or run \`bauta adopt\` to give it to this installation.`,
  );

const otherDomain = (domain: string, stored: string): SettingError =>
  new SettingError(
    `MASK_DOMAIN is ${JSON.stringify(domain)}; expected ${JSON.stringify(stored)}, the domain of the masks in the database: set it, name another database, or run \`bauta adopt\` to go on with the new domain.`,
  );

/** A domain without masks is not used yet. */
const hasMasks = async (db: Db): Promise<boolean> =>
  (await db.selectFrom("masks").select("id").limit(1).executeTakeFirst()) !== undefined;

interface Installed {
  readonly dataDir: string;
  readonly maskDomain: DomainName;
}

/**
 * Opens the keys of the installation, created where there are none, and marks the database as its own. Throws a
 * `SettingError` when the database belongs to an installation with other keys, or has masks of another domain.
 */
export const openInstallation = async (db: Db, { dataDir, maskDomain }: Installed): Promise<Secrets> => {
  if (!hasSecrets(dataDir) && (await readIdentity(db))) throw otherKeys(dataDir);
  const secrets = openSecrets(dataDir);
  const own: Identity = { keys_mark: markOf(secrets), mask_domain: maskDomain };
  await db
    .insertInto("installation")
    .values({ id, ...own })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const stored = (await readIdentity(db)) ?? own;
  if (stored.keys_mark !== own.keys_mark) throw otherKeys(dataDir);
  if (!isNameOf(stored.mask_domain, maskDomain)) {
    if (await hasMasks(db)) throw otherDomain(maskDomain, stored.mask_domain);
    await adoptDatabase(db, secrets, maskDomain);
  }
  return secrets;
};

/** Gives the database to the installation with these keys and this domain; returns its earlier domain, if it had one. */
export const adoptDatabase = async (
  db: Db,
  secrets: Secrets,
  maskDomain: string,
): Promise<string | undefined> => {
  const earlier = await readIdentity(db);
  const own: Identity = { keys_mark: markOf(secrets), mask_domain: maskDomain };
  await db
    .insertInto("installation")
    .values({ id, ...own })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(own))
    .execute();
  return earlier?.mask_domain;
};
