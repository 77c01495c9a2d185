import { spawnSync } from "node:child_process";

/** The key store of the system, reached through the program that the system has for it. */
export interface KeyStore {
  readonly name: string;
  readonly read: (server: string) => string | null;
  /** Returns false when the store refuses, as without a desktop session. */
  readonly write: (server: string, secret: string) => boolean;
  readonly remove: (server: string) => void;
}

const application = "bauta-cli";
/** A locked store asks its owner for the password. */
const waitAtMostMs = 60_000;

/** Runs a program with the secret as its input, never as an argument, which other users can read. */
const runWith = (program: string, words: readonly string[], input = ""): string | null => {
  const { status, stdout } = spawnSync(program, words, {
    input,
    encoding: "utf8",
    timeout: waitAtMostMs,
    stdio: ["pipe", "pipe", "ignore"],
  });
  return status === 0 ? stdout : null;
};

/** The Secret Service of Linux desktops, by `secret-tool` of libsecret. */
const secretService: KeyStore = {
  name: "the keyring",
  read: (server) => runWith("secret-tool", ["lookup", "application", application, "server", server]),
  write: (server, secret) =>
    runWith(
      "secret-tool",
      ["store", "--label", `Bauta at ${server}`, "application", application, "server", server],
      secret,
    ) !== null,
  remove: (server) => void runWith("secret-tool", ["clear", "application", application, "server", server]),
};

const hex = (text: string): string => Buffer.from(text).toString("hex");

/** The keychain of macOS, by `security`, which reads its commands from the input. */
const keychain: KeyStore = {
  name: "the keychain",
  read: (server) =>
    runWith("security", ["find-generic-password", "-s", application, "-a", server, "-w"])?.trimEnd() ?? null,
  write: (server, secret) =>
    runWith(
      "security",
      ["-i"],
      `add-generic-password -U -s ${application} -a "${server}" -X ${hex(secret)}\n`,
    ) !== null && keychain.read(server) !== null,
  remove: (server) => void runWith("security", ["delete-generic-password", "-s", application, "-a", server]),
};

/** Finds the key store of this system; null where there is none, or BAUTA_KEY_STORE is "file". */
export const findKeyStore = (): KeyStore | null => {
  if (process.env["BAUTA_KEY_STORE"] === "file") return null;
  if (process.platform === "darwin") return keychain;
  return process.platform === "linux" ? secretService : null;
};
