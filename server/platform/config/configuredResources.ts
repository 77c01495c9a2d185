import { createPrivateKey, X509Certificate } from "node:crypto";
import { accessSync, constants, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorCode } from "../errors/errorCode.ts";
import type { TlsFiles } from "./config.ts";
import { SettingError } from "./settings.ts";

const codeOf = (error: unknown): string => {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return errorCode(error) || "unknown reason";
};

/** Returns the code, or the message of an error of ours or a library; external text may quote a password. */
const reasonOf = (error: unknown): string => {
  const code = codeOf(error);
  const isOwnMessage = code === "unknown reason" || code === "ERR_SQLITE_ERROR";
  return isOwnMessage && error instanceof Error ? (error.message.split("\n")[0] ?? code) : code;
};

/** The address of a listener and the variables that set it. */
export interface ListenerAddress {
  readonly portVariable: string;
  readonly port: number;
  readonly hostVariable: string;
  readonly host: string;
}

const portErrors: Readonly<Record<string, string>> = {
  EADDRINUSE: "a port on which no other program listens",
  EACCES: "a port that this process may open; below 1024 it needs CAP_NET_BIND_SERVICE",
};

const hostErrors = new Set(["ENOTFOUND", "EAI_AGAIN", "EADDRNOTAVAIL", "EINVAL", "EAFNOSUPPORT"]);

/** Starts a listener; throws a `SettingError` when its address is not available. */
export const startListening = async (
  settings: ListenerAddress,
  listen: () => Promise<unknown>,
): Promise<void> => {
  const { portVariable, port, hostVariable, host } = settings;
  try {
    await listen();
  } catch (error) {
    const code = codeOf(error);
    const expected = portErrors[code];
    if (expected)
      throw new SettingError(`${portVariable} is ${port}; expected ${expected} (${code} at ${host}).`);
    if (hostErrors.has(code))
      throw new SettingError(`${hostVariable} is "${host}"; expected an address of this machine (${code}).`);
    throw error;
  }
};

/** Runs work that depends on a setting; converts a failure to a `SettingError` with the message and the reason. */
export const withSettingError = async <A>(message: string, work: () => A | Promise<A>): Promise<A> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SettingError) throw error;
    throw new SettingError(`${message} (${reasonOf(error)}).`);
  }
};

/** Reads the certificate for STARTTLS; null without files. Throws a `SettingError` when it does not match the key. */
export const readCertificate = async (
  files: TlsFiles | null,
): Promise<{ readonly cert: string; readonly key: string } | null> => {
  if (!files) return null;
  const certName = JSON.stringify(files.cert);
  const keyName = JSON.stringify(files.key);
  const cert = await withSettingError(
    `TLS_CERT is ${certName}; expected a PEM file with a certificate`,
    () => {
      const text = readFileSync(files.cert, "utf8");
      return { text, parsed: new X509Certificate(text) };
    },
  );
  const key = await withSettingError(`TLS_KEY is ${keyName}; expected a PEM file with a private key`, () => {
    const text = readFileSync(files.key, "utf8");
    return { text, parsed: createPrivateKey(text) };
  });
  if (!cert.parsed.checkPrivateKey(key.parsed))
    throw new SettingError(`TLS_KEY is ${keyName}; expected the key of the certificate in TLS_CERT.`);
  return { cert: cert.text, key: key.text };
};

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/**
 * Creates parents one by one: the recursive mode of Node never returns where folders cannot be created (/proc). Another
 * process of the same installation may create the same folder meanwhile.
 */
const createFolder = (path: string): void => {
  if (isFolder(path)) return;
  if (dirname(path) !== path) createFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!isFolder(path)) throw error;
  }
};

/** Creates the data and outbox folders with mode 700; throws a `SettingError` when they are not writable. */
export const openDataDir = (dataDir: string): Promise<void> =>
  withSettingError(
    `DATA_DIR is ${JSON.stringify(dataDir)}; expected a folder that can be created and written`,
    () => {
      createFolder(join(dataDir, "outbox"));
      accessSync(dataDir, constants.W_OK);
    },
  );
