import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

type Cbor = number | string | Uint8Array | ReadonlyMap<number | string, Cbor>;

const head = (major: number, length: number): Buffer => {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
};

/** Encodes what authenticators answer with (RFC 8949). */
const cbor = (value: Cbor): Buffer => {
  if (typeof value === "number") return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === "string")
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap(([key, one]) => [cbor(key), cbor(one)]);
  return Buffer.concat([head(5, value.size), ...entries]);
};

const sha256 = (data: Uint8Array | string): Buffer => createHash("sha256").update(data).digest();
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");

const flagBits = { present: 1, verified: 4, eligible: 8, backedUp: 16, attested: 64 } as const;

/** How an answer differs from an honest one. */
export interface Deviation {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly counter?: number;
  readonly isVerified?: boolean;
  readonly type?: string;
  readonly crossOrigin?: boolean;
  readonly userHandle?: string | null;
  readonly credentialId?: string;
  /** Changes the authenticator data after it was signed. */
  readonly tamper?: (data: Buffer) => Buffer;
}

/** The options of a server, as far as an authenticator reads them. */
interface GivenOptions {
  readonly challenge: string;
  readonly rpId?: string;
  readonly rp?: { readonly id: string };
  readonly user?: { readonly id: string };
}

/** An authenticator with one ES256 key, implemented independently of the server (WebAuthn Level 3). */
export interface SoftwareAuthenticator {
  readonly credentialId: string;
  /** Answers the options for a new passkey. */
  readonly make: (options: unknown, deviation?: Deviation) => Record<string, unknown>;
  /** Answers the options of a sign-in; the counter increases with each answer unless it stands. */
  readonly use: (options: unknown, deviation?: Deviation) => Record<string, unknown>;
}

const clientDataOf = (type: string, challenge: string, origin: string, crossOrigin: boolean): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }));

const coseKey = (key: KeyObject): Buffer => {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const bytes = (value: string): Uint8Array => Buffer.from(value, "base64url");
  return cbor(
    new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ]),
  );
};

/** Creates an authenticator; `counts` says whether it has a counter, which synced passkeys have not. */
export const createSoftwareAuthenticator = ({
  origin = "http://bauta.test",
  verifies = true,
  counts = true,
  isSynced = false,
  aaguid = "00000000000000000000000000000000",
} = {}): SoftwareAuthenticator => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(32);
  const credentialId = text(id);
  let counter = 0;
  let handle = "";

  const dataOf = (rpId: string, count: number, isVerified: boolean, attested?: Buffer): Buffer => {
    const flags =
      flagBits.present |
      (isVerified ? flagBits.verified : 0) |
      (isSynced ? flagBits.eligible | flagBits.backedUp : 0) |
      (attested ? flagBits.attested : 0);
    const counted = Buffer.alloc(4);
    counted.writeUInt32BE(count);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counted, attested ?? Buffer.alloc(0)]);
  };

  return {
    credentialId,
    make: (given, deviation = {}) => {
      const options = given as GivenOptions;
      handle = options.user?.id ?? "";
      const challenge = deviation.challenge ?? options.challenge;
      const clientData = clientDataOf(
        deviation.type ?? "webauthn.create",
        challenge,
        deviation.origin ?? origin,
        deviation.crossOrigin ?? false,
      );
      const attested = Buffer.concat([
        Buffer.from(aaguid, "hex"),
        Buffer.from([id.length >> 8, id.length & 255]),
        id,
        coseKey(publicKey),
      ]);
      const authData = dataOf(
        deviation.rpId ?? options.rp?.id ?? "",
        counter,
        deviation.isVerified ?? verifies,
        attested,
      );
      const attestationObject = cbor(
        new Map<string, Cbor>([
          ["fmt", "none"],
          ["attStmt", new Map()],
          ["authData", authData],
        ]),
      );
      return {
        id: credentialId,
        rawId: credentialId,
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: text(clientData),
          attestationObject: text(attestationObject),
          transports: ["internal", "hybrid"],
        },
      };
    },
    use: (given, deviation = {}) => {
      const options = given as GivenOptions;
      if (counts) counter += 1;
      const clientData = clientDataOf(
        deviation.type ?? "webauthn.get",
        deviation.challenge ?? options.challenge,
        deviation.origin ?? origin,
        deviation.crossOrigin ?? false,
      );
      const data = dataOf(
        deviation.rpId ?? options.rpId ?? "",
        deviation.counter ?? counter,
        deviation.isVerified ?? verifies,
      );
      const signature = sign("sha256", Buffer.concat([data, sha256(clientData)]), privateKey);
      const userHandle = deviation.userHandle === undefined ? handle : deviation.userHandle;
      const named = deviation.credentialId ?? credentialId;
      return {
        id: named,
        rawId: named,
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: text(clientData),
          authenticatorData: text(deviation.tamper?.(data) ?? data),
          signature: text(signature),
          ...(userHandle === null ? {} : { userHandle }),
        },
      };
    },
  };
};
