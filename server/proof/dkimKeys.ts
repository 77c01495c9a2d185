import { generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import type { Selectable } from "kysely";
import type { DkimKeysTable } from "./proofTables.ts";

export type DkimAlgorithm = "rsa-sha256" | "ed25519-sha256";

/** A key pair as operators see it. */
export interface DkimKeyInfo {
  readonly selector: string;
  readonly algorithm: DkimAlgorithm;
  /**
   * "next" must be published and does not sign yet, "active" signs, and "retired" no longer signs; its record
   * stays published for a week, because mail that it signed may still be on its way.
   */
  readonly state: "next" | "active" | "retired";
  readonly createdAt: number;
  readonly activeFrom: number | null;
  readonly retiredAt: number | null;
  /** The record to publish; `name` has no final dot, `value` is one text. */
  readonly record: { readonly name: string; readonly type: "TXT"; readonly value: string };
}

/** A key that signs. */
export interface SigningKey {
  readonly selector: string;
  readonly algorithm: DkimAlgorithm;
  readonly privateKey: KeyObject;
  /** The domain whose mail it signs; absent for a key of the installation. */
  readonly domain?: string;
  /** The account that has proven the domain, whose mail alone the key signs; absent for a key of the installation. */
  readonly userId?: string;
}

/** More bits do not fit one DNS string, fewer are refused from 2024 on (RFC 8301, 3.2). */
const modulusLength = 2_048;

const generate = promisify(generateKeyPair);

export const sealContext = (selector: string): string => `dkim ${selector}`;

export interface NewKey {
  readonly algorithm: DkimAlgorithm;
  /** PKCS #8 in PEM. */
  readonly privateKey: string;
  /** In the format of the p= tag. */
  readonly publicKey: string;
}

const toNewKey = (
  algorithm: DkimAlgorithm,
  pair: { readonly privateKey: KeyObject; readonly publicKey: KeyObject },
): NewKey => {
  const spki = pair.publicKey.export({ type: "spki", format: "der" });
  return {
    algorithm,
    privateKey: pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    // An Ed25519 record has only the 32 bytes of the key (RFC 8463, 4).
    publicKey: (algorithm === "rsa-sha256" ? spki : spki.subarray(-32)).toString("base64"),
  };
};

/** Creates an RSA key. */
export const generateRsaKey = async (): Promise<NewKey> =>
  toNewKey("rsa-sha256", await generate("rsa", { modulusLength }));

export const generatePair = async (): Promise<readonly NewKey[]> => [
  await generateRsaKey(),
  toNewKey("ed25519-sha256", await generate("ed25519")),
];

export const isAlgorithm = (text: string): text is DkimAlgorithm =>
  text === "rsa-sha256" || text === "ed25519-sha256";
const isState = (text: string): text is DkimKeyInfo["state"] =>
  text === "next" || text === "active" || text === "retired";

const timeOf = (value: number | string | null): number | null => (value === null ? null : Number(value));

export const toInfo = (row: Selectable<DkimKeysTable>, domain: string): readonly DkimKeyInfo[] => {
  const { selector, algorithm, state } = row;
  if (!isAlgorithm(algorithm) || !isState(state)) return [];
  const type = algorithm === "rsa-sha256" ? "rsa" : "ed25519";
  return [
    {
      selector,
      algorithm,
      state,
      createdAt: Number(row.created_at),
      activeFrom: timeOf(row.active_from),
      retiredAt: timeOf(row.retired_at),
      record: {
        name: `${selector}._domainkey.${domain}`,
        type: "TXT",
        value: `v=DKIM1; k=${type}; p=${row.public_key}`,
      },
    },
  ];
};
