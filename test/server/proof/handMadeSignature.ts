import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { relaxField } from "../../../server/proof/canonicalHeader.ts";

/** A key that signs, and the record that its domain publishes. */
export interface MadeKey {
  readonly privateKey: KeyObject;
  readonly record: string;
}

/** Creates an RSA key with a number of bits, or an Ed25519 key. */
export const makeKey = (bits: number | "ed25519" = 2048): MadeKey => {
  const { privateKey, publicKey } =
    bits === "ed25519" ? generateKeyPairSync("ed25519") : generateKeyPairSync("rsa", { modulusLength: bits });
  const der = publicKey.export({ type: "spki", format: "der" });
  const bytes = bits === "ed25519" ? der.subarray(-32) : der;
  return {
    privateKey,
    record: `v=DKIM1; k=${bits === "ed25519" ? "ed25519" : "rsa"}; p=${bytes.toString("base64")}`,
  };
};

/** Header fields without their line breaks, the first first. */
export type Fields = readonly string[];

/** Returns a body in canonical form (RFC 6376, 3.4.3 and 3.4.4). */
export const canonicalBody = (body: string, form: "simple" | "relaxed"): string => {
  const lines = form === "simple" ? body : body.replaceAll(/[ \t]+/g, " ").replaceAll(/ (?=\r\n)/g, "");
  const end = lines.replace(/(?:\r\n)*$/, "");
  return end === "" && form === "relaxed" ? "" : `${end}\r\n`;
};

export const hashBody = (body: string, algorithm = "sha256"): string =>
  createHash(algorithm).update(body, "latin1").digest("base64");

const canonical = (field: string, form: string): string => (form === "simple" ? field : relaxField(field));

/** Selects fields by the names of h=: of several with a name the last first. */
export const selectFields = (fields: Fields, names: readonly string[]): Fields => {
  const rest = [...fields];
  return names.flatMap((name) => {
    const found = rest.findLastIndex(
      (field) => field.split(":", 1)[0]?.trim().toLowerCase() === name.trim().toLowerCase(),
    );
    return found === -1 ? [] : rest.splice(found, 1);
  });
};

/** Signs text with a key as the algorithm requires. */
export const signText = (text: string, { privateKey }: MadeKey, hash: string): string =>
  (privateKey.asymmetricKeyType === "ed25519"
    ? sign(null, createHash("sha256").update(text, "latin1").digest(), privateKey)
    : sign(hash, Buffer.from(text, "latin1"), privateKey)
  ).toString("base64");

export interface Signature {
  /** The field up to and including "b=". */
  readonly field: string;
  readonly key: MadeKey;
  readonly hash?: string;
  readonly form?: "simple" | "relaxed";
}

/** Returns a field with its signature over others in the order given (RFC 6376, 3.7). */
const signFields = (covered: Fields, { field, key, hash = "sha256", form = "relaxed" }: Signature): string =>
  `${field}${signText([...covered, field].map((one) => canonical(one, form)).join("\r\n"), key, hash)}`;

/** Returns a field with its signature over the fields that `names` selects. */
export const signSelected = (fields: Fields, names: readonly string[], signature: Signature): string =>
  signFields(selectFields(fields, names), signature);
