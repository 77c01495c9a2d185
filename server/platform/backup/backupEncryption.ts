import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import {
  createMessage,
  decrypt,
  decryptKey,
  encrypt,
  type PrivateKey,
  readKey,
  readMessage,
  readPrivateKey,
} from "openpgp";
import { BackupError } from "./readBackup.ts";

/** Turns one content into another as it passes. */
export type Passing = (content: AsyncIterable<Uint8Array>) => Promise<Readable>;

const toWeb = (content: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> =>
  Readable.toWeb(Readable.from(content, { objectMode: false })) as ReadableStream<Uint8Array>;

const toReadable = (content: unknown): Readable => Readable.fromWeb(content as ReadableStream);

/** Returns what encrypts a backup to an OpenPGP key (ASCII-armored), which holds no more than some chunks of it. */
export const encryptBackup =
  (publicKey: string): Passing =>
  async (content) =>
    toReadable(
      await encrypt({
        message: await createMessage({ binary: toWeb(content) }),
        encryptionKeys: await readKey({ armoredKey: publicKey }),
        format: "binary",
      }),
    );

/** Opens a private key (ASCII-armored); asks for its passphrase if it has one. */
export const openPrivateKey = async (
  armoredKey: string,
  passphrase: () => Promise<string>,
): Promise<PrivateKey> => {
  const privateKey = await readPrivateKey({ armoredKey }).catch(() => {
    throw new BackupError("the key file is not an armored private key of OpenPGP");
  });
  if (privateKey.isDecrypted()) return privateKey;
  return decryptKey({ privateKey, passphrase: await passphrase() }).catch(() => {
    throw new BackupError("the passphrase of the key is wrong");
  });
};

const proven = async function* (content: Readable): AsyncIterable<Uint8Array> {
  try {
    yield* content;
  } catch {
    throw new BackupError("the file is damaged or not a backup");
  }
};

/**
 * Returns what decrypts a backup. What it passes on is proven at its end only, where it fails if it was changed:
 * discard all until then.
 */
export const decryptBackup =
  (privateKey: PrivateKey): Passing =>
  async (content) => {
    const message = await readMessage({ binaryMessage: toWeb(content) });
    const { data } = await decrypt({
      message,
      decryptionKeys: privateKey,
      format: "binary",
      config: { allowUnauthenticatedStream: true },
    }).catch(() => {
      throw new BackupError("the key does not decrypt it");
    });
    return Readable.from(proven(toReadable(data)), { objectMode: false });
  };
