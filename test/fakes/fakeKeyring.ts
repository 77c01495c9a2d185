import { left, right } from "fp-ts/lib/Either.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import type { DeviceKey, Keyring, KeyringRefusal, OpenedMail } from "../../core/ports/keyring.ts";
import { startsAt } from "./virtualClock.ts";

/** A keyring without encryption, which the test controls. */
export interface FakeKeyring {
  readonly keyring: Keyring;
  /** Makes each task return this failure from now on; null restores success. */
  readonly refuseAll: (refusal: KeyringRefusal | null) => void;
  /** Delays the creation of keys until the returned function is called. */
  readonly holdCreation: () => () => void;
}

interface Refusing {
  readonly refusal: KeyringRefusal;
}

const refusing = (refusal: KeyringRefusal): Refusing => ({ refusal });

const block = (kind: string, content: string): string =>
  `-----BEGIN PGP ${kind} KEY BLOCK-----\n\n${content}\n-----END PGP ${kind} KEY BLOCK-----\n`;

const publicKeyOf = (fingerprint: string): string => block("PUBLIC", `of ${fingerprint}`);

const contentOf = (kind: string, text: string): readonly string[] | null =>
  new RegExp(`BEGIN PGP ${kind} KEY BLOCK-----\\n\\nof ([0-9A-F]{40})(?: by (.*))?\\n`).exec(text);

const sealedMark = "X-Fake-Sealed-To: ";

/** The mail as if it were encrypted to this public key of the fake. */
export const fakeSeal = async (mail: string, publicKey: string): Promise<Uint8Array<ArrayBuffer>> =>
  new TextEncoder().encode(`${sealedMark}${contentOf("PUBLIC", publicKey)?.[1]}\r\n${mail}`);

/** A text as if it were encrypted to this public key of the fake, in base 64. */
export const fakeSealText = async (text: string, publicKey: string): Promise<string> =>
  Buffer.from(await fakeSeal(text, publicKey)).toString("base64");

const fakeUnseal = (message: string, hasKey: (fingerprint: string) => boolean): string | null => {
  const text = Buffer.from(message, "base64").toString();
  const end = text.indexOf("\r\n");
  if (!text.startsWith(sealedMark) || !hasKey(text.slice(sealedMark.length, end))) return null;
  return text.slice(end + 2);
};

const field = (mail: string, name: string): string =>
  new RegExp(`^${name}: (.*)$`, "im").exec(mail.split("\r\n\r\n", 1)[0] ?? "")?.[1]?.trim() ?? "";

const readMail = (mail: string, wasEncrypted: boolean): OpenedMail => {
  const isHtml = field(mail, "Content-Type").startsWith("text/html");
  const body = mail.slice(mail.indexOf("\r\n\r\n") + 4);
  const date = Date.parse(field(mail, "Date"));
  return {
    wasEncrypted,
    subject: field(mail, "Subject"),
    from: field(mail, "From").replaceAll('"', ""),
    to: field(mail, "To"),
    cc: field(mail, "Cc"),
    messageId: field(mail, "Message-ID"),
    date: Number.isNaN(date) ? "" : new Date(date).toISOString(),
    text: isHtml ? null : body,
    html: isHtml ? body : null,
    attachments: [],
  };
};

export const createFakeKeyring = (): FakeKeyring => {
  let keys: readonly (DeviceKey & { readonly owner: string })[] = [];
  let refused: KeyringRefusal | null = null;
  let createdCount = 0;
  let creation: Promise<void> = Promise.resolve();

  const task =
    <R>(work: () => R): TaskEither<KeyringRefusal, Exclude<R, Refusing>> =>
    async () => {
      if (refused !== null) return left(refused);
      const result = work();
      const isRefusal = typeof result === "object" && result !== null && "refusal" in result;
      return isRefusal ? left((result as Refusing).refusal) : right(result as Exclude<R, Refusing>);
    };
  const of = (owner: string) => keys.filter((key) => key.owner === owner);
  const find = (owner: string, fingerprint: string) =>
    of(owner).find((key) => key.fingerprint === fingerprint);
  const shown = ({ fingerprint, publicKey, since, isBackedUp }: DeviceKey): DeviceKey => ({
    fingerprint,
    publicKey,
    since,
    isBackedUp,
  });
  const keep = (owner: string, fingerprint: string, isBackedUp: boolean): DeviceKey => {
    const before = find(owner, fingerprint);
    createdCount += 1;
    const key = {
      fingerprint,
      publicKey: publicKeyOf(fingerprint),
      since: before?.since ?? startsAt + createdCount,
      isBackedUp: isBackedUp || before?.isBackedUp === true,
    };
    keys = [...keys.filter((other) => other !== before), { ...key, owner }];
    return key;
  };
  return {
    refuseAll: (refusal) => {
      refused = refusal;
    },
    holdCreation: () => {
      let release = (): void => {};
      creation = new Promise((resolve) => {
        release = resolve;
      });
      return () => release();
    },
    keyring: {
      list: (owner) => task(() => of(owner).map(shown)),
      create: (owner) => async () => {
        await creation;
        return task(() =>
          keep(owner, (createdCount + 1).toString(16).toUpperCase().padStart(40, "F"), false),
        )();
      },
      protect: (owner, fingerprint, passphrase) =>
        task(() =>
          find(owner, fingerprint)
            ? block("PRIVATE", `of ${fingerprint} by ${passphrase}`)
            : refusing("no-such-key"),
        ),
      markBackedUp: (owner, fingerprint) =>
        task(() => {
          if (!find(owner, fingerprint)) return refusing("no-such-key");
          keep(owner, fingerprint, true);
          return undefined;
        }),
      import: (owner, armored, passphrase) =>
        task(() => {
          const content = contentOf("PRIVATE", armored);
          if (content === null)
            return refusing(contentOf("PUBLIC", armored) === null ? "not-a-key" : "public-key");
          return content[2] === passphrase
            ? keep(owner, content[1] ?? "", true)
            : refusing("wrong-passphrase");
        }),
      remove: (owner, fingerprint) =>
        task(() => {
          keys = keys.filter((key) => key.owner !== owner || key.fingerprint !== fingerprint);
        }),
      rename: (from, to) =>
        task(() => {
          keys = keys
            .filter((key) => key.owner !== from || find(to, key.fingerprint) === undefined)
            .map((key) => (key.owner === from ? { ...key, owner: to } : key));
        }),
      forgetAll: () =>
        task(() => {
          keys = [];
        }),
      examine: (armored) =>
        task(() => {
          if (contentOf("PRIVATE", armored) !== null) return refusing("private-key");
          const content = contentOf("PUBLIC", armored);
          if (content === null) return refusing("not-a-key");
          return { fingerprint: content[1] ?? "", userIds: ["Mask owner"], expires: null };
        }),
      open: (owner, mail) =>
        task(() => {
          const text = new TextDecoder().decode(mail);
          if (!text.startsWith(sealedMark)) return readMail(text, false);
          const fingerprint = text.slice(sealedMark.length, text.indexOf("\r\n"));
          return find(owner, fingerprint)
            ? readMail(text.slice(text.indexOf("\r\n") + 2), true)
            : refusing("no-such-key");
        }),
      decryptBytes: (owner, message) =>
        task(() => {
          const text = fakeUnseal(message, (key) => find(owner, key) !== undefined);
          return text === null
            ? refusing(
                Buffer.from(message, "base64").toString().startsWith(sealedMark) ? "no-such-key" : "damaged",
              )
            : new TextEncoder().encode(text);
        }),
      decrypt: (owner, messages) =>
        task(() => messages.map((message) => fakeUnseal(message, (key) => find(owner, key) !== undefined))),
    },
  };
};
