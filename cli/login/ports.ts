import { cookieHttp, createCookieJar } from "../../adapters/node/cookieHttp.ts";
import { createFileStorage } from "../../adapters/node/fileStorage.ts";
import { createProcessLock } from "../../adapters/node/processLock.ts";
import { terminalPorts } from "../../adapters/node/terminalPorts.ts";
import { loadRe2Patterns } from "../../adapters/re2/re2Patterns.ts";
import { systemClock } from "../../adapters/system/clockAndRandom.ts";
import { fetchHttp } from "../../adapters/system/fetchHttp.ts";
import type { Ports } from "../../core/ports/ports.ts";
import type { KeyValueStorage } from "../../core/ports/storage.ts";
import { storedKeys } from "../../core/storage/storedKeys.ts";
import type { SecretStore } from "./secrets.ts";
import { serverFolder } from "./stateFolder.ts";

const cookieName = "cookies";

const secretKeys: ReadonlySet<string> = new Set([storedKeys.authToken.name, storedKeys.csrfToken.name]);

/** Keeps the tokens of a session with the secrets, and all else in files. */
const createLocalStorage = (server: string, secrets: SecretStore): KeyValueStorage => {
  const files = createFileStorage(serverFolder(server));
  return {
    ...files,
    read: (key) => (secretKeys.has(key) ? secrets.read(key) : files.read(key)),
    write: (key, value) => (secretKeys.has(key) ? secrets.write(key, value) : files.write(key, value)),
    remove: (key) => (secretKeys.has(key) ? void secrets.write(key, null) : files.remove(key)),
  };
};

const parsedCookies = (text: string | null): Readonly<Record<string, string>> =>
  text === null ? {} : JSON.parse(text);

/** The ports of a login, whose state outlives the process. A request with an API token carries no cookies. */
export const createPorts = (server: string, secrets: SecretStore, kind: "session" | "token"): Ports => {
  const jar = createCookieJar(systemClock.now, {
    read: () => parsedCookies(secrets.read(cookieName)),
    write: (cookies) => void secrets.write(cookieName, JSON.stringify(cookies)),
  });
  const ports = terminalPorts(systemClock, jar);
  const lock = createProcessLock(serverFolder(server));
  return {
    ...ports,
    http: kind === "token" ? fetchHttp : cookieHttp(jar)(fetchHttp),
    storage: { ...ports.storage, local: createLocalStorage(server, secrets) },
    tabs: {
      ...ports.tabs,
      runExclusive: (name, limits, work) =>
        lock(name, limits, (hadToWait) => {
          // The process before has renewed the session.
          if (hadToWait) secrets.reload();
          return work(hadToWait);
        }),
    },
    patterns: loadRe2Patterns,
  };
};
