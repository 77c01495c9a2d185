import {
  type MadePasskey,
  maxPasskeyName,
  maxPasskeys,
  type Passkey,
  type Passkeys,
} from "../../../core/passkeys/passkeyEndpoints.ts";
import { providerOf } from "../../../core/passkeys/providers.ts";
import { deviceName } from "../../../core/session/deviceName.ts";
import type { PasskeyOfferAnswer } from "../../../core/session/passkeyOfferAnswer.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { fieldError, UseCaseError } from "../../platform/errors/useCaseError.ts";
import { newSecret } from "../../platform/ops/keyedHash.ts";
import type { Db } from "../../platform/store/database.ts";
import { appendEvent } from "../../platform/store/events.ts";
import { isId, newId } from "../../platform/store/id.ts";
import type { RecordAnswer } from "../../platform/store/recordAnswer.ts";
import type { UserRow } from "../../platform/store/users.ts";
import { getLockedUser, getUser } from "../../platform/store/users.ts";
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

/** The signed-in user, and the session of the request. */
export interface PasskeyCaller {
  readonly userId: string;
  readonly sessionId: string;
}

/** The passkeys of users. */
export interface UserPasskeys {
  readonly list: (caller: PasskeyCaller) => Promise<Passkeys>;
  /** Returns what the browser needs to make a passkey. Rejects with 409 beyond 20. */
  readonly options: (userId: string) => Promise<Readonly<Record<string, unknown>>>;
  /** Adds a passkey; the owner is told. Rejects with 400 unless it answers the options. */
  readonly add: (
    userId: string,
    made: { readonly passkey: MadePasskey; readonly userAgent: string },
    recordAnswer: RecordAnswer<Passkey>,
  ) => Promise<Passkey>;
  /** Rejects with 404 when the user has none with this id. */
  readonly rename: (
    caller: PasskeyCaller,
    change: { readonly id: string; readonly name: string },
    recordAnswer: RecordAnswer<Passkey>,
  ) => Promise<Passkey>;
  /**
   * Removes a passkey and ends the sessions that it opened; returns their ids. Rejects with 404 when the user has none with
   * this id, and with 409 when "passkeys only" needs it.
   */
  readonly remove: (
    userId: string,
    id: string,
    recordAnswer: RecordAnswer<void>,
  ) => Promise<readonly string[]>;
  /** Rejects with 409 without two passkeys, or one and recovery codes. */
  readonly setOnly: (
    caller: PasskeyCaller,
    only: boolean,
    recordAnswer: RecordAnswer<Passkeys>,
  ) => Promise<Passkeys>;
  readonly answerOffer: (
    userId: string,
    answer: PasskeyOfferAnswer,
    recordAnswer: RecordAnswer<void>,
  ) => Promise<void>;
}

const iso = (at: number): string => new Date(Number(at)).toISOString();

/** What is known of a user's passkeys beside their rows. */
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
  new UseCaseError("conflict", "This took too long, or was answered already. Please try again.");
const unchecked = (): UseCaseError =>
  new UseCaseError("invalid", "This passkey could not be checked. Please try again, or use another device.");
const known = (): UseCaseError => new UseCaseError("conflict", "This passkey is registered already.");
const stillNeeded = (): UseCaseError =>
  new UseCaseError(
    "conflict",
    "Your account logs in with passkeys only, and needs this one. Add another passkey first, or let codes by mail log in again.",
  );
const tooFew = (): UseCaseError =>
  fieldError(
    "conflict",
    "only",
    "This needs two passkeys, or one and the recovery codes of two-factor authentication.",
  );

export interface UserPasskeysDeps
  extends Pick<ServerContext, "database" | "clock" | "random" | "feed" | "delivery"> {
  readonly party: RelyingParty;
  readonly challenges: Challenges;
  readonly notifyPasskey: NotifyPasskey;
}

/** Whether an account with so many passkeys can do without codes by mail. */
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

/** Creates what signed-in users do with their passkeys. */
export const createUserPasskeys = ({
  database,
  clock,
  random,
  feed,
  delivery,
  party,
  challenges,
  notifyPasskey,
}: UserPasskeysDeps): UserPasskeys => {
  const change = async <A>(userId: string, work: (db: Db, user: UserRow) => Promise<A>): Promise<A> => {
    const result = await database.transaction(async (db) => work(db, await getLockedUser(db, userId)));
    feed.wake();
    delivery.wake();
    return result;
  };
  const announce = (db: Db, userId: string): Promise<void> =>
    appendEvent(db, { userId, resource: "account", resourceId: null, action: "updated" }, clock.now());

  const read = async (db: Db, { userId, sessionId }: PasskeyCaller): Promise<Passkeys> => {
    const rows = await listPasskeyRows(db, userId);
    const facts = await factsOf(db, { userId, sessionId });
    return {
      passkeys: rows.map((row) => toPasskey(row, facts)),
      only: (await getUser(db, userId)).passkeys_only === 1,
      mayBeOnly: await mayBeOnly(db, userId, rows.length),
    };
  };

  /** Returns what the user's passkeys know the user by. */
  const handleOf = (userId: string): Promise<{ readonly handle: string; readonly email: string }> =>
    database.transaction(async (db) => {
      const user = await getLockedUser(db, userId);
      if (user.passkey_handle !== null) return { handle: user.passkey_handle, email: user.email };
      const handle = newSecret(random);
      await db.updateTable("users").set({ passkey_handle: handle }).where("id", "=", userId).execute();
      return { handle, email: user.email };
    });

  return {
    list: (caller) => read(database.db, caller),

    options: async (userId) => {
      const rows = await listPasskeyRows(database.db, userId);
      if (rows.length >= maxPasskeys) throw tooMany();
      return registrationOptions(party, await handleOf(userId), challenges.create(userId), rows);
    },

    add: async (userId, { passkey: made, userAgent }, recordAnswer) => {
      const clientData = readClientData(made.response.clientDataJSON);
      if (!clientData) throw unchecked();
      if (!challenges.isOpen(clientData.challenge, userId)) throw expired();
      const credential = await checkMadePasskey(party, made, clientData.challenge);
      if (!credential) throw unchecked();
      const now = clock.now();
      const row: PasskeyRow = {
        id: newId(random),
        user_id: userId,
        credential_id: credential.credentialId,
        public_key: credential.publicKey,
        counter: credential.counter,
        verifies: credential.isVerified ? 1 : 0,
        transports: JSON.stringify(
          (made.response.transports ?? []).slice(0, 8).map((text) => text.slice(0, 20)),
        ),
        name: (providerOf(credential.aaguid) ?? deviceName(userAgent)).slice(0, maxPasskeyName),
        synced: credential.isSynced ? 1 : 0,
        backed_up: credential.isBackedUp ? 1 : 0,
        aaguid: credential.aaguid,
        created_at: now,
        last_used_at: null,
      };
      return change(userId, async (db, user) => {
        if (!(await challenges.consume(db, clientData.challenge))) throw expired();
        if ((await listPasskeyRows(db, userId)).length >= maxPasskeys) throw tooMany();
        if (!(await insertPasskey(db, row))) throw known();
        await db.updateTable("users").set({ passkey_offer: "accepted" }).where("id", "=", userId).execute();
        await notifyPasskey(db, user, { kind: "added", name: row.name });
        await announce(db, userId);
        return recordAnswer(db, toPasskey(row, { current: null, opening: new Set() }));
      });
    },

    rename: ({ userId, sessionId }, { id, name }, recordAnswer) =>
      change(userId, async (db) => {
        const row = await renamePasskey(db, { userId, id, name });
        if (!row) throw gone();
        await announce(db, userId);
        return recordAnswer(db, toPasskey(row, await factsOf(db, { userId, sessionId })));
      }),

    remove: (userId, id, recordAnswer) =>
      change(userId, async (db, user) => {
        const removed = isId(id) ? await deletePasskeyRow(db, userId, id) : undefined;
        if (!removed) throw gone();
        const left = (await listPasskeyRows(db, userId)).length;
        if (user.passkeys_only === 1 && !(await mayBeOnly(db, userId, left))) throw stillNeeded();
        await recordAnswer(db);
        const ended = await endSessionsOfPasskey(db, { userId, passkeyId: id, now: clock.now() });
        await db.deleteFrom("second_factor_tickets").where("passkey_id", "=", id).execute();
        await notifyPasskey(db, user, { kind: "removed", name: removed.name });
        await announce(db, userId);
        return ended;
      }),

    setOnly: (caller, only, recordAnswer) =>
      change(caller.userId, async (db, user) => {
        const { userId } = caller;
        const { passkeys } = await read(db, caller);
        if (only && !(await mayBeOnly(db, userId, passkeys.length))) throw tooFew();
        if (only !== (user.passkeys_only === 1)) {
          await db
            .updateTable("users")
            .set({ passkeys_only: only ? 1 : 0 })
            .where("id", "=", userId)
            .execute();
          await notifyPasskey(db, user, { kind: only ? "only" : "not-only" });
          await announce(db, userId);
        }
        return recordAnswer(db, await read(db, caller));
      }),

    answerOffer: (userId, answer, recordAnswer) =>
      change(userId, async (db) => {
        await db.updateTable("users").set({ passkey_offer: answer }).where("id", "=", userId).execute();
        await announce(db, userId);
        await recordAnswer(db);
      }),
  };
};
