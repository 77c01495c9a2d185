import { expect } from "chai";
import type { Either } from "fp-ts/lib/Either.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import type { DeviceKey, Keyring, KeyringRefusal } from "../../core/ports/keyring.ts";

export interface KeyringSubject {
  readonly keyring: Keyring;
  /** The mail encrypted to this public key, as it is forwarded. */
  readonly seal: (mail: string, publicKey: string) => Promise<Uint8Array<ArrayBuffer>>;
  /** The text in an OpenPGP message to this public key, in base 64. */
  readonly sealText: (text: string, publicKey: string) => Promise<string>;
}

const ada = "ada@example.org";
const eva = "eva@example.org";
const passphrase = "seven quiet boats at noon";

const mail = [
  'From: "Corner Shop" <orders@shop.example>',
  "To: shop@masks.example",
  "Subject: Your order",
  "Date: Fri, 20 Nov 2026 09:00:00 +0000",
  'Content-Type: text/plain; charset="utf-8"',
  "Message-ID: <1@shop.example>",
  "",
  "It should reach you on Tuesday.",
  "",
].join("\r\n");

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

const done = async <A>(task: TaskEither<KeyringRefusal, A>): Promise<A> => {
  const result: Either<KeyringRefusal, A> = await task();
  if (result._tag === "Left") throw new Error(`it was refused: ${result.left}`);
  return result.right;
};

const refusal = async (task: TaskEither<KeyringRefusal, unknown>): Promise<KeyringRefusal | "done"> => {
  const result = await task();
  return result._tag === "Left" ? result.left : "done";
};

/** The tests that every keyring must pass. */
export const keyringContract = (make: () => Promise<KeyringSubject>): void => {
  const createKey = async (): Promise<KeyringSubject & { readonly key: DeviceKey }> => {
    const subject = await make();
    return { ...subject, key: await done(subject.keyring.create(ada)) };
  };

  it("is empty at first, then contains the key it has created, not backed up yet", async () => {
    const { keyring } = await make();
    expect(await done(keyring.list(ada))).to.deep.equal([]);
    const key = await done(keyring.create(ada));
    expect(key.fingerprint).to.match(/^[0-9A-F]{40}$/);
    expect(key.publicKey).to.include("-----BEGIN PGP PUBLIC KEY BLOCK-----");
    expect(key.isBackedUp).to.equal(false);
    expect(await done(keyring.list(ada))).to.deep.equal([key]);
  });

  it("creates another key each time, and lists the oldest first", async () => {
    const { keyring, key } = await createKey();
    const other = await done(keyring.create(ada));
    expect(other.fingerprint).not.to.equal(key.fingerprint);
    expect((await done(keyring.list(ada))).map(({ fingerprint }) => fingerprint)).to.have.members([
      key.fingerprint,
      other.fingerprint,
    ]);
  });

  it("shows the keys of one owner to no other (D45)", async () => {
    const { keyring, key, seal } = await createKey();
    expect(await done(keyring.list(eva))).to.deep.equal([]);
    expect(await refusal(keyring.protect(eva, key.fingerprint, passphrase))).to.equal("no-such-key");
    expect(await refusal(keyring.markBackedUp(eva, key.fingerprint))).to.equal("no-such-key");
    expect(await refusal(keyring.open(eva, await seal(mail, key.publicKey)))).to.equal("no-such-key");
    await done(keyring.remove(eva, key.fingerprint));
    expect(await done(keyring.list(ada))).to.deep.equal([key]);
  });

  it("includes no address in a public key, and lets it never expire", async () => {
    const { keyring, key } = await createKey();
    const facts = await done(keyring.examine(key.publicKey));
    expect(facts).to.deep.equal({
      fingerprint: key.fingerprint,
      userIds: ["Mask owner"],
      expires: null,
    });
  });

  it("exports a private key only protected, and imports it with its passphrase", async () => {
    const { keyring, key } = await createKey();
    const copy = await done(keyring.protect(ada, key.fingerprint, passphrase));
    expect(copy).to.include("-----BEGIN PGP PRIVATE KEY BLOCK-----");
    expect(await refusal(keyring.import(eva, copy, "another one"))).to.equal("wrong-passphrase");
    expect(await refusal(keyring.import(eva, copy, ""))).to.equal("wrong-passphrase");
    expect(await done(keyring.list(eva))).to.deep.equal([]);
    const taken = await done(keyring.import(eva, copy, passphrase));
    expect([taken.fingerprint, taken.isBackedUp]).to.deep.equal([key.fingerprint, true]);
  });

  it("stores a key once when it is imported twice", async () => {
    const { keyring, key } = await createKey();
    const copy = await done(keyring.protect(ada, key.fingerprint, passphrase));
    await done(keyring.import(ada, copy, passphrase));
    const listed = await done(keyring.list(ada));
    expect(listed.map(({ fingerprint, since }) => [fingerprint, since])).to.deep.equal([
      [key.fingerprint, key.since],
    ]);
  });

  it("remembers which keys are backed up", async () => {
    const { keyring, key } = await createKey();
    await done(keyring.markBackedUp(ada, key.fingerprint));
    expect(await done(keyring.list(ada))).to.deep.equal([{ ...key, isBackedUp: true }]);
  });

  it("names what a text is when it is not the expected key", async () => {
    const { keyring, key } = await createKey();
    const copy = await done(keyring.protect(ada, key.fingerprint, passphrase));
    for (const text of ["", "hello", "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nnonsense"])
      expect(await refusal(keyring.import(ada, text, passphrase)), text).to.equal("not-a-key");
    expect(await refusal(keyring.import(ada, key.publicKey, passphrase))).to.equal("public-key");
    expect(await refusal(keyring.examine("hello"))).to.equal("not-a-key");
    expect(await refusal(keyring.examine(copy))).to.equal("private-key");
  });

  it("decrypts a mail that is encrypted to one of the owner's keys, also an older one", async () => {
    const { keyring, key, seal } = await createKey();
    await done(keyring.create(ada));
    const opened = await done(keyring.open(ada, await seal(mail, key.publicKey)));
    expect({ ...opened, text: opened.text?.trim() }).to.deep.equal({
      wasEncrypted: true,
      subject: "Your order",
      from: "Corner Shop <orders@shop.example>",
      to: "shop@masks.example",
      cc: "",
      date: "2026-11-20T09:00:00.000Z",
      messageId: "<1@shop.example>",
      text: "It should reach you on Tuesday.",
      html: null,
      attachments: [],
    });
  });

  it("decrypts many texts at once, and leaves out those that are damaged or encrypted to other keys", async () => {
    const { keyring, key, sealText } = await createKey();
    const others = await done(keyring.create(eva));
    const texts = await Promise.all(["one", "zwölf €"].map((text) => sealText(text, key.publicKey)));
    const foreign = await sealText("secret", others.publicKey);
    expect(await done(keyring.decrypt(ada, [...texts, foreign, "AAAA", "?"]))).to.deep.equal([
      "one",
      "zwölf €",
      null,
      null,
      null,
    ]);
    expect(await done(keyring.decrypt("nobody@example.org", texts))).to.deep.equal([null, null]);
  });

  it("decrypts the bytes of a message, and says why it cannot", async () => {
    const { keyring, key, sealText } = await createKey();
    const sealed = await sealText("zwölf €\r\n", key.publicKey);
    expect([...(await done(keyring.decryptBytes(ada, sealed)))]).to.deep.equal([...bytes("zwölf €\r\n")]);
    expect(await refusal(keyring.decryptBytes(eva, sealed))).to.equal("no-such-key");
    expect(await refusal(keyring.decryptBytes(ada, "AAAA"))).to.equal("damaged");
  });

  it("opens a mail that is not encrypted, without any key", async () => {
    const { keyring } = await make();
    const opened = await done(keyring.open(ada, bytes(mail)));
    expect([opened.wasEncrypted, opened.subject]).to.deep.equal([false, "Your order"]);
  });

  it("does not decrypt a mail to a key that was removed", async () => {
    const { keyring, key, seal } = await createKey();
    const sealed = await seal(mail, key.publicKey);
    await done(keyring.remove(ada, key.fingerprint));
    await done(keyring.remove(ada, key.fingerprint));
    expect(await done(keyring.list(ada))).to.deep.equal([]);
    expect(await refusal(keyring.open(ada, sealed))).to.equal("no-such-key");
  });

  it("moves the keys of an owner to another address, where they decrypt the same mail, and the old one has none", async () => {
    const { keyring, key, seal } = await createKey();
    const sealed = await seal(mail, key.publicKey);
    await done(keyring.markBackedUp(ada, key.fingerprint));
    const others = await done(keyring.create(eva));
    await done(keyring.rename(ada, "ada.new@example.org"));
    await done(keyring.rename(ada, "ada.new@example.org"));
    expect(await done(keyring.list("ada.new@example.org"))).to.deep.equal([{ ...key, isBackedUp: true }]);
    expect((await done(keyring.open("ada.new@example.org", sealed))).subject).to.equal("Your order");
    expect(await done(keyring.list(ada))).to.deep.equal([]);
    expect(await refusal(keyring.open(ada, sealed))).to.equal("no-such-key");
    expect(await done(keyring.list(eva)), "another owner's keys").to.deep.equal([others]);
  });

  it("deletes the keys of all owners at once, and can create new ones afterwards", async () => {
    const { keyring } = await createKey();
    await done(keyring.create(eva));
    await done(keyring.forgetAll());
    expect(await done(keyring.list(ada))).to.deep.equal([]);
    expect(await done(keyring.list(eva))).to.deep.equal([]);
    await done(keyring.create(ada));
    expect(await done(keyring.list(ada))).to.have.length(1);
  });
};
