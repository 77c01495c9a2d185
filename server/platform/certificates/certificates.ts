import { createPrivateKey, generateKeyPairSync, type KeyObject, X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSecureContext, type SecureContext } from "node:tls";
import { defer, firstValueFrom, repeat, timer } from "rxjs";
import { hourMs, minuteMs } from "../../../core/kernel/durations.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import { errorTrace, type Log } from "../ops/log.ts";
import { AcmeError, orderCertificate, UnprovenName, Unreachable } from "./acmeClient.ts";

/** The certificate that is valid now, renewed in time. */
export interface Certificates {
  /** Returns the current certificate; null before the first one. Call it for each connection. */
  readonly secureContext: () => SecureContext | null;
  /** Returns when the current certificate ends, in milliseconds since 1970; null before the first one. */
  readonly validUntil: () => number | null;
  /** Returns the answer to a challenge of the authority; undefined for an unknown token. */
  readonly challengeAnswer: (token: string) => string | undefined;
  /** Orders and renews certificates until the returned function is called. */
  readonly start: () => () => void;
}

export interface CertificatesDeps {
  readonly directoryUrl: string;
  readonly email: string;
  /** The names that the certificate must have. */
  readonly names: readonly string[];
  /** Further names, included once they resolve to this server. */
  readonly optionalNames: readonly string[];
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
}

const checkEachMs = hourMs;
/** While there is no certificate: the pauses after failed orders, then `checkEachMs`. */
const firstRetriesMs = [1, 2, 5, 15].map((minutes) => minutes * minuteMs);
/** The share of its lifetime after which a certificate is renewed: Let's Encrypt's 90 days after 60. */
const renewAfterShare = 2 / 3;

const isPrivateKey = (pem: string): boolean => pem.includes("PRIVATE KEY");

const newKey = (): KeyObject => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
const toPem = (key: KeyObject): string => key.export({ type: "pkcs8", format: "pem" }).toString();

/** Writes a file that only its owner can read, atomically. */
const writeWhole = (path: string, text: string): void => {
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
};

const readOrCreateAccountKey = (path: string): KeyObject => {
  if (!existsSync(path)) writeWhole(path, toPem(newKey()));
  return createPrivateKey(readFileSync(path, "utf8"));
};

interface Stored {
  readonly context: SecureContext;
  readonly certificate: X509Certificate;
}

/** The key and the chain are in one file so that they always match. */
const readStored = (path: string): Stored | null => {
  if (!existsSync(path)) return null;
  const pem = readFileSync(path, "utf8");
  const blocks = pem.match(/-----BEGIN [^-]+-----[\s\S]+?-----END [^-]+-----\n?/g) ?? [];
  const chain = blocks.filter((block) => !isPrivateKey(block)).join("");
  const key = blocks.filter(isPrivateKey).join("");
  return { context: createSecureContext({ cert: chain, key }), certificate: new X509Certificate(chain) };
};

/** True if a certificate is to be ordered: there is none, two thirds of its lifetime have passed, or names were added. */
const isDue = (stored: Stored | null, names: readonly string[], now: number): boolean => {
  if (stored === null) return true;
  const { validFrom, validTo } = stored.certificate;
  const begins = Date.parse(validFrom);
  const ends = Date.parse(validTo);
  const isOld = now > begins + (ends - begins) * renewAfterShare;
  return isOld || !names.every((name) => stored.certificate.checkHost(name) !== undefined);
};

/** Creates the certificates from an ACME authority (RFC 8555, HTTP-01); they are stored in `folder`. */
export const createCertificates = (deps: CertificatesDeps): Certificates => {
  const { directoryUrl, email, folder, clock, log } = deps;
  const allNames = [...deps.names, ...deps.optionalNames];
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, "certificate.pem");
  const answers = new Map<string, string>();
  let stored = readStored(path);

  const order = async (names: readonly string[]): Promise<void> => {
    const certificateKey = newKey();
    const chain = await orderCertificate({
      directoryUrl,
      email,
      accountKey: readOrCreateAccountKey(join(folder, "account.key")),
      certificateKey,
      names,
      publishAnswer: (token, answer) => {
        answers.set(token, answer);
        return () => answers.delete(token);
      },
      pause: async (ms) => {
        await firstValueFrom(timer(ms, clock.scheduler));
      },
    });
    writeWhole(path, `${toPem(certificateKey)}${chain}`);
    stored = readStored(path);
    log.info({ names, until: stored?.certificate.validTo }, "a certificate was issued");
  };

  let failures = 0;
  const pauseMs = (): number => (stored === null ? firstRetriesMs[failures - 1] : undefined) ?? checkEachMs;

  /** True if an order without the further names can succeed: not when a needed one is unproved. */
  const isForOptional = (error: unknown): boolean =>
    error instanceof UnprovenName
      ? deps.optionalNames.includes(error.unproven)
      : error instanceof AcmeError && !(error instanceof Unreachable) && deps.optionalNames.length > 0;

  /** Orders a certificate for all names; for the needed ones alone when a further one does not lead here. */
  const orderFor = async (names: readonly string[]): Promise<void> => {
    if (!isDue(stored, names, clock.now())) return;
    try {
      await order(names);
      failures = 0;
    } catch (error) {
      const reason = error instanceof AcmeError ? error.message : errorTrace(error);
      if (names !== deps.names && isForOptional(error)) {
        log.warn({ names, reason }, "a certificate is ordered without the further names");
        return orderFor(deps.names);
      }
      failures += 1;
      const again = `the server retries in ${pauseMs() / minuteMs} minutes`;
      log.error({ names, reason }, `ordering a certificate failed: ${again}`);
    }
  };

  return {
    secureContext: () => stored?.context ?? null,
    validUntil: () => stored && Date.parse(stored.certificate.validTo),
    challengeAnswer: (token) => answers.get(token),
    start: () => {
      const checks = defer(() => orderFor(allNames)).pipe(
        repeat({ delay: () => timer(pauseMs(), clock.scheduler) }),
      );
      const subscription = checks.subscribe();
      return () => subscription.unsubscribe();
    },
  };
};
