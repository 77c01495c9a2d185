import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSecureContext, type SecureContext } from "node:tls";
import { createTransport, type Transporter } from "nodemailer";
import { cryptoRandom } from "../../../adapters/system/clockAndRandom.ts";
import type { DomainName } from "../../../core/mail/domainName.ts";
import {
  hashAppPassword,
  newAppPassword,
  showAppPassword,
} from "../../../server/features/appPasswords/appPassword.ts";
import { createSubmission } from "../../../server/features/submission/submission.ts";
import type { Log } from "../../../server/platform/ops/log.ts";
import { createOwnRates } from "../../../server/platform/rates/rates.ts";
import type { Database } from "../../../server/platform/store/database.ts";
import { spoolBytes } from "../../../server/smtp/smtpLimits.ts";
import { createSmtpServer } from "../../../server/smtp/smtpServer.ts";
import { skipWithout } from "../../support/missing.ts";
import { maskDomain, publicUrl, type RunningListener, silent } from "./listener.ts";
import { createMemory } from "./memoryContent.ts";
import type { Owner } from "./owners.ts";

export interface Certificate {
  readonly ca: Buffer;
  readonly context: SecureContext;
}

/** Makes a certificate for the tests of a `describe`; skips them without openssl. */
export const useCertificate = (): (() => Certificate) => {
  let made: Certificate | undefined;
  before(function () {
    if (spawnSync("openssl", ["version"]).error) skipWithout(this, "openssl");
    const folder = mkdtempSync(join(tmpdir(), "bauta-certificate-"));
    const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
    const subject = ["-subj", `/CN=${maskDomain}`, "-addext", `subjectAltName=DNS:${maskDomain}`];
    const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    execFileSync("openssl", ["req", "-x509", ...curve, "-keyout", key, "-out", cert, ...subject], {
      stdio: "ignore",
    });
    const ca = readFileSync(cert);
    made = { ca, context: createSecureContext({ cert: ca, key: readFileSync(key) }) };
    rmSync(folder, { recursive: true });
  });
  return () => {
    if (!made) throw new Error("there is a certificate only while tests run");
    return made;
  };
};

/** Gives an owner an app password and returns it as it is shown. */
export const addAppPassword = async ({ db }: Database, owner: Owner): Promise<string> => {
  const text = newAppPassword(cryptoRandom);
  const id = `password-${text.lookup}`;
  await db
    .insertInto("app_passwords")
    .values({
      id,
      user_id: owner.id,
      name: "Mail program",
      lookup: text.lookup,
      hash: await hashAppPassword(text, id),
      created_at: 0,
      last_used_at: null,
    })
    .execute();
  return showAppPassword(text);
};

/** A server for mail programs beside a relay. */
export interface RunningSubmission {
  readonly port: number;
  /** Returns a mail program that logs in. */
  readonly program: (user: string, pass: string) => Transporter;
  readonly close: () => Promise<void>;
}

interface SubmissionOptions {
  readonly startsWithTls?: boolean;
  /** The domain of the masks. */
  readonly domain?: DomainName;
  readonly log?: Log;
  readonly isBalancer?: (address: string) => boolean;
}

export const startSubmission = async (
  database: Database,
  { listener, clock }: RunningListener,
  { ca, context }: Certificate,
  {
    startsWithTls = false,
    domain = maskDomain,
    log = silent,
    isBalancer = () => false,
  }: SubmissionOptions = {},
): Promise<RunningSubmission> => {
  const { outgoing } = listener;
  if (!outgoing) throw new Error("the relay has no keys for replies");
  const server = createSmtpServer({
    name: maskDomain,
    host: "127.0.0.1",
    port: 0,
    secureContext: () => context,
    clock,
    log,
    rates: createOwnRates(clock.now),
    beginTransaction: null,
    submission: createSubmission({ database, maskDomain: domain, publicUrl, outgoing, clock, log }),
    startsWithTls,
    isBalancer,
    beginContent: createMemory(spoolBytes).beginContent,
  });
  const { port } = await server.start();
  const programs: Transporter[] = [];
  return {
    port,
    program: (user, pass) => {
      const program = createTransport({
        host: "127.0.0.1",
        port,
        secure: startsWithTls,
        requireTLS: true,
        auth: { user, pass },
        tls: { ca, servername: maskDomain },
      });
      programs.push(program);
      return program;
    },
    close: async () => {
      for (const program of programs) program.close();
      await server.stop();
    },
  };
};
