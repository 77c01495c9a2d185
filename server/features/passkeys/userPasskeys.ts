import {
  type MadePasskey,
  maxPasskeyName,
  maxPasskeys,
  type Passkey,
  type Passkeys,
} from "../../../core/passkeys/passkeyEndpoints.ts";
import { deviceName } from "../../../core/session/deviceName.ts";
import type { PasskeyOfferAnswer } from "../../../core/session/passkeyOfferAnswer.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { fieldError, UseCaseError } from "../../platform/errors/useCaseError.ts";
import { newSecret } from "../../platform/ops/keyedHash.ts";
import { afterCommit } from "../../platform/store/afterCommit.ts";
import type { Db, Write } from "../../platform/store/database.ts";
import { appendEvent } from "../../platform/store/events.ts";
import { isId, newId } from "../../platform/store/id.ts";
import { getLockedUser, getUser, type UserRow } from "../../platform/store/users.ts";
import { endSessionsOfPasskey } from "../session/sessions.ts";
import { countRecoveryCodes } from "../session/twoFactor/twoFactorQueries.ts";
import type { Challenges } from "./challenges.ts";
import { openingPasskeys } from "./keyBackups.ts";
import type { NotifyPasskey } from "./passkeyNotice.ts";
import {
  deletePasskeyRow,
  insertPasskey,
  listPasskeyRows,
  type PasskeyRow,
  renamePasskey,
} from "./passkeyQueries.ts";
import { checkMadePasskey, type RelyingParty, readClientData, registrationOptions } from "./relyingParty.ts";

/** Names of those who keep passkeys, by the AAGUID that their passkeys carry; others have zeros. */
const providers: Readonly<Record<string, string>> = {
  "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4": "Google Password Manager",
  "fbfc3007-154e-4ecc-8c0b-6e020557d7bd": "iCloud Keychain",
  "dd4ec289-e01d-41c9-bb89-70fa845d4bf2": "iCloud Keychain (managed)",
  "adce0002-35bc-c60a-648b-0b25f1f05503": "Chrome on Mac",
  "08987058-cadc-4b81-b6e1-30de50dcbe96": "Windows Hello",
  "9ddd1817-af5a-4672-a2b9-3e3dd95000a9": "Windows Hello",
  "6028b017-b1d4-4c02-b4b3-afcdafc96bb2": "Windows Hello",
  "bada5566-a7aa-401f-bd96-45619a55120d": "1Password",
  "d548826e-79b4-db40-a3d8-11116f7e8349": "Bitwarden",
  "531126d6-e717-415c-9320-3d9aa6981239": "Dashlane",
  "fdb141b2-5d84-443e-8a35-4698c205a502": "KeePassXC",
  "50726f74-6f6e-5061-7373-50726f746f6e": "Proton Pass",
  "53414d53-554e-4700-0000-000000000000": "Samsung Pass",
  "b84e4048-15dc-4dd0-8640-f4f60813c8af": "NordPass",
};

/** Returns the name of the provider of a passkey; null for one that is not known. */
const providerOf = (aaguid: string): string | null => providers[aaguid.toLowerCase()] ?? null;

/** The signed-in user, and the session of the request. */
export interface PasskeyCaller {
  readonly userId: string;
  readonly sessionId: string;
}

const iso = (at: number): string => new Date(Number(at)).toISOString();

/** The facts about a user's passkeys beside their rows. */
interface PasskeyFacts {
  /** The one that the session of the request was opened with. */
  readonly current: string | null;
  /** Those that open the key in use. */
  readonly opening: ReadonlySet<string>;
}

const toPasskey = (row: PasskeyRow, { current, opening }: PasskeyFacts): Passkey => ({
  id: row.id,
  name: row.name,
  created: iso(row.created_at),
  lastUsed: row.last_used_at === null ? null : iso(row.last_used_at),
  isSynced: row.synced === 1,
  opensMail: opening.has(row.id),
  isCurrent: row.id === current,
});

const gone = (): UseCaseError => new UseCaseError("missing", "This passkey is removed already.");
const tooMany = (): UseCaseError =>
  new UseCaseError("conflict", `You have ${maxPasskeys} passkeys. Remove one that you no longer use.`);
const expired = (): UseCaseError =>
  new UseCaseError("conflict", "This took too long, or was answered already. Try again.");
const unchecked = (): UseCaseError =>
  new UseCaseError("invalid", "This passkey could not be checked. Try again, or use another device.");
const known = (): UseCaseError => new UseCaseError("conflict", "This passkey is registered already.");
const stillNeeded = (): UseCaseError =>
  new UseCaseError(
    "conflict",
    "Your account requires passkeys, and needs this one. Add another passkey first, or allow codes by mail again.",
  );
const tooFew = (): UseCaseError =>
  fieldError(
    "conflict",
    "only",
    "This needs two passkeys, or one and the recovery codes of two-factor authentication.",
  );

/** The dependencies of the use cases of passkeys. */
export interface PasskeyContext extends Pick<ServerContext, "database" | "clock" | "random" | "delivery"> {
  readonly party: RelyingParty;
  readonly challenges: Challenges;
  readonly notifyPasskey: NotifyPasskey;
}

/** True if an account with so many passkeys can do without codes by mail. */
const mayBeOnly = async (db: Db, userId: string, passkeys: number): Promise<boolean> =>
  passkeys >= 2 || (passkeys === 1 && (await countRecoveryCodes(db, userId)) > 0);

const currentPasskey = async (db: Db, sessionId: string): Promise<string | null> => {
  const session = await db
    .selectFrom("sessions")
    .select("passkey_id")
    .where("id", "=", sessionId)
    .executeTakeFirst();
  return session?.passkey_id ?? null;
};

const factsOf = async (db: Db, { userId, sessionId }: PasskeyCaller): Promise<PasskeyFacts> => ({
  current: await currentPasskey(db, sessionId),
  opening: await openingPasskeys(db, userId),
});

/** Locks the user for a change of which they may be told by mail. */
const lockToChange = ({ delivery }: PasskeyContext, tx: Db, userId: string): Promise<UserRow> => {
  afterCommit(tx, delivery.wake);
  return getLockedUser(tx, userId);
};

const announce = ({ clock }: PasskeyContext, tx: Db, userId: string): Promise<void> =>
  appendEvent(tx, { userId, resource: "account", resourceId: null, action: "updated" }, clock.now());

/** Returns the passkeys of a user. */
export const readPasskeys = async (db: Db, { userId, sessionId }: PasskeyCaller): Promise<Passkeys> => {
  const rows = await listPasskeyRows(db, userId);
  const facts = await factsOf(db, { userId, sessionId });
  return {
    passkeys: rows.map((row) => toPasskey(row, facts)),
    only: (await getUser(db, userId)).passkeys_only === 1,
    mayBeOnly: await mayBeOnly(db, userId, rows.length),
  };
};

/** Returns what the user's passkeys know the user by. */
const handleOf = (
  { database, random }: PasskeyContext,
  userId: string,
): Promise<{ readonly handle: string; readonly email: string }> =>
  database.transaction(async (tx) => {
    const user = await getLockedUser(tx, userId);
    if (user.passkey_handle !== null) return { handle: user.passkey_handle, email: user.email };
    const handle = newSecret(random);
    await tx.updateTable("users").set({ passkey_handle: handle }).where("id", "=", userId).execute();
    return { handle, email: user.email };
  });

/** Returns what the browser needs to make a passkey. Rejects with 409 beyond 20. */
export const passkeyOptions = async (
  context: PasskeyContext,
  userId: string,
): Promise<Readonly<Record<string, unknown>>> => {
  const { database, party, challenges } = context;
  const rows = await listPasskeyRows(database.db, userId);
  if (rows.length >= maxPasskeys) throw tooMany();
  return registrationOptions(party, await handleOf(context, userId), challenges.create(userId), rows);
};

/** Checks a new passkey and prepares to add it; the owner is told. Rejects with 400 unless it answers the options. */
export const addPasskey = async (
  context: PasskeyContext,
  userId: string,
  { passkey: made, userAgent }: { readonly passkey: MadePasskey; readonly userAgent: string },
): Promise<Write<Passkey>> => {
  const { challenges, party, clock, random, notifyPasskey } = context;
  const clientData = readClientData(made.response.clientDataJSON);
  if (!clientData) throw unchecked();
  if (!challenges.isOpen(clientData.challenge, userId)) throw expired();
  const credential = await checkMadePasskey(party, made, clientData.challenge);
  if (!credential) throw unchecked();
  const row: PasskeyRow = {
    id: newId(random),
    user_id: userId,
    credential_id: credential.credentialId,
    public_key: credential.publicKey,
    counter: credential.counter,
    verifies: credential.isVerified ? 1 : 0,
    transports: JSON.stringify((made.response.transports ?? []).slice(0, 8).map((text) => text.slice(0, 20))),
    name: (providerOf(credential.aaguid) ?? deviceName(userAgent)).slice(0, maxPasskeyName),
    synced: credential.isSynced ? 1 : 0,
    backed_up: credential.isBackedUp ? 1 : 0,
    aaguid: credential.aaguid,
    created_at: clock.now(),
    last_used_at: null,
  };
  return async (tx) => {
    const user = await lockToChange(context, tx, userId);
    if (!(await challenges.consume(tx, clientData.challenge))) throw expired();
    if ((await listPasskeyRows(tx, userId)).length >= maxPasskeys) throw tooMany();
    if (!(await insertPasskey(tx, row))) throw known();
    await tx.updateTable("users").set({ passkey_offer: "accepted" }).where("id", "=", userId).execute();
    await notifyPasskey(tx, user, { kind: "added", name: row.name });
    await announce(context, tx, userId);
    return toPasskey(row, { current: null, opening: new Set() });
  };
};

/** Rejects with 404 when the user has none with this id. */
export const changePasskeyName = async (
  context: PasskeyContext,
  tx: Db,
  caller: PasskeyCaller,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<Passkey> => {
  const { userId } = caller;
  await getLockedUser(tx, userId);
  const row = await renamePasskey(tx, { userId, id, name });
  if (!row) throw gone();
  await announce(context, tx, userId);
  return toPasskey(row, await factsOf(tx, caller));
};

/**
 * Removes a passkey and ends the sessions that it opened; returns their ids. Rejects with 404 when the user has none with
 * this id, and with 409 when "passkeys only" needs it.
 */
export const removePasskey = async (
  context: PasskeyContext,
  tx: Db,
  userId: string,
  id: string,
): Promise<readonly string[]> => {
  const user = await lockToChange(context, tx, userId);
  const removed = isId(id) ? await deletePasskeyRow(tx, userId, id) : undefined;
  if (!removed) throw gone();
  const left = (await listPasskeyRows(tx, userId)).length;
  if (user.passkeys_only === 1 && !(await mayBeOnly(tx, userId, left))) throw stillNeeded();
  const ended = await endSessionsOfPasskey(tx, { userId, passkeyId: id, now: context.clock.now() });
  await tx.deleteFrom("second_factor_tickets").where("passkey_id", "=", id).execute();
  await context.notifyPasskey(tx, user, { kind: "removed", name: removed.name });
  await announce(context, tx, userId);
  return ended;
};

/** Rejects with 409 without two passkeys, or one and recovery codes. */
export const setPasskeysOnly = async (
  context: PasskeyContext,
  tx: Db,
  caller: PasskeyCaller,
  only: boolean,
): Promise<Passkeys> => {
  const { userId } = caller;
  const user = await lockToChange(context, tx, userId);
  const { passkeys } = await readPasskeys(tx, caller);
  if (only && !(await mayBeOnly(tx, userId, passkeys.length))) throw tooFew();
  if (only !== (user.passkeys_only === 1)) {
    await tx
      .updateTable("users")
      .set({ passkeys_only: only ? 1 : 0 })
      .where("id", "=", userId)
      .execute();
    await context.notifyPasskey(tx, user, { kind: only ? "only" : "not-only" });
    await announce(context, tx, userId);
  }
  return readPasskeys(tx, caller);
};

/** Records what the user says to the offer of a passkey. */
export const answerPasskeyOffer = async (
  context: PasskeyContext,
  tx: Db,
  userId: string,
  answer: PasskeyOfferAnswer,
): Promise<void> => {
  await getLockedUser(tx, userId);
  await tx.updateTable("users").set({ passkey_offer: answer }).where("id", "=", userId).execute();
  await announce(context, tx, userId);
};
