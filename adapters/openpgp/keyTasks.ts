import type { Either } from "fp-ts/lib/Either.js";
import { tryCatch } from "fp-ts/lib/TaskEither.js";
import { generateKey, type PrivateKey, readPrivateKey } from "openpgp";
import type { DeviceKey, Keyring, KeyringRefusal } from "../../core/ports/keyring.ts";
import { examinePublicKey, exportPrivateKey, fingerprintOf, importPrivateKey } from "./armoredKeys.ts";
import type { KeyRecord, KeyRecords } from "./keyRecords.ts";
import { KeyringError } from "./keyringError.ts";
import { decryptBytes, decryptText, openMail } from "./openMail.ts";

/** The tasks of a keyring, except deleting all keys; "unavailable" stands for each unexpected error. */
export type KeyTasks = {
  readonly [Name in Exclude<keyof Keyring, "forgetAll">]: (
    ...args: Parameters<Keyring[Name]>
  ) => ReturnType<ReturnType<Keyring[Name]>>;
};

/** The user id of generated keys; an address would reveal the owner of the masks to everybody who looks up the key. */
const anonymousUser = { name: "Mask owner" };

/** Generates a key of the type that gpg, sq and other programs can use. */
const generatePrivateKey = async (): Promise<PrivateKey> => {
  const { privateKey } = await generateKey({
    type: "ecc",
    curve: "curve25519Legacy",
    userIDs: [anonymousUser],
    format: "object",
  });
  return privateKey;
};

const ivBytes = 12;

const toDeviceKey = ({ fingerprint, publicKey, since, isBackedUp }: KeyRecord): DeviceKey => ({
  fingerprint,
  publicKey,
  since,
  isBackedUp,
});

/** The authenticated data of a record: it does not decrypt for another owner or key. */
const additionalDataOf = (owner: string, fingerprint: string): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(JSON.stringify([owner, fingerprint]));

const toRefusal = (error: unknown): KeyringRefusal =>
  error instanceof KeyringError ? error.refusal : "unavailable";

const asEither =
  <Args extends readonly unknown[], A>(task: (...args: Args) => Promise<A>) =>
  (...args: Args): Promise<Either<KeyringRefusal, A>> =>
    tryCatch(() => task(...args), toRefusal)();

/** Creates the tasks of a keyring over a storage of records, whose private keys are encrypted. */
export const createKeyTasks = (records: KeyRecords): KeyTasks => {
  const find = async (owner: string, fingerprint: string): Promise<KeyRecord | undefined> =>
    (await records.all(owner)).find((record) => record.fingerprint === fingerprint);

  const decryptRecord = async ({ owner, fingerprint, iv, sealed }: KeyRecord): Promise<PrivateKey> => {
    const algorithm = { name: "AES-GCM", iv, additionalData: additionalDataOf(owner, fingerprint) };
    const bytes = await crypto.subtle.decrypt(algorithm, await records.sealingKey(), sealed);
    return readPrivateKey({ binaryKey: new Uint8Array(bytes) });
  };
  const allKeys = async (owner: string): Promise<readonly PrivateKey[]> =>
    Promise.all((await records.all(owner)).map(decryptRecord));
  const encryptRecord = async (owner: string, key: PrivateKey): Promise<Pick<KeyRecord, "iv" | "sealed">> => {
    const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
    const algorithm = { name: "AES-GCM", iv, additionalData: additionalDataOf(owner, fingerprintOf(key)) };
    const bytes = Uint8Array.from(key.write());
    return { iv, sealed: await crypto.subtle.encrypt(algorithm, await records.sealingKey(), bytes) };
  };
  const add = async (owner: string, key: PrivateKey, isBackedUp: boolean): Promise<DeviceKey> => {
    const fingerprint = fingerprintOf(key);
    const existing = await find(owner, fingerprint);
    const record: KeyRecord = {
      owner,
      fingerprint,
      publicKey: key.toPublic().armor(),
      since: existing?.since ?? Date.now(),
      isBackedUp: isBackedUp || existing?.isBackedUp === true,
      ...(await encryptRecord(owner, key)),
    };
    await records.put(record);
    return toDeviceKey(record);
  };
  const get = async (owner: string, fingerprint: string): Promise<KeyRecord> => {
    const record = await find(owner, fingerprint);
    if (!record) throw new KeyringError("no-such-key");
    return record;
  };

  return {
    list: asEither(async (owner: string) =>
      (await records.all(owner)).map(toDeviceKey).toSorted((one, other) => one.since - other.since),
    ),
    create: asEither(async (owner: string) => add(owner, await generatePrivateKey(), false)),
    protect: asEither(async (owner: string, fingerprint: string, passphrase: string) =>
      exportPrivateKey(await decryptRecord(await get(owner, fingerprint)), passphrase),
    ),
    markBackedUp: asEither(async (owner: string, fingerprint: string) =>
      records.put({ ...(await get(owner, fingerprint)), isBackedUp: true }),
    ),
    import: asEither(async (owner: string, armored: string, passphrase: string) =>
      add(owner, await importPrivateKey(armored, passphrase), true),
    ),
    remove: asEither(records.remove),
    rename: asEither(async (from: string, to: string) => {
      for (const record of await records.all(from)) {
        const { fingerprint } = record;
        if ((await find(to, fingerprint)) === undefined)
          await records.put({
            ...record,
            owner: to,
            ...(await encryptRecord(to, await decryptRecord(record))),
          });
        await records.remove(from, fingerprint);
      }
    }),
    examine: asEither(examinePublicKey),
    open: asEither((owner: string, mail: Uint8Array<ArrayBuffer>) => openMail(mail, () => allKeys(owner))),
    decryptBytes: asEither(async (owner: string, message: string) =>
      decryptBytes(message, await allKeys(owner)),
    ),
    decrypt: asEither(async (owner: string, messages: readonly string[]) => {
      const keys = await allKeys(owner);
      return Promise.all(messages.map((message) => decryptText(message, keys)));
    }),
  };
};
