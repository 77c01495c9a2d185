import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { Registry } from "@prometheus-io/client";
import { pino } from "pino";
import PostalMime from "postal-mime";
import type { SchedulerLike } from "rxjs";
import type { Tier } from "../../../core/tiers/tier.ts";
import { createServerFeatures, type Features } from "../../../server/app/features.ts";
import { createHttpApp } from "../../../server/app/httpApp.ts";
import { createServerMetrics } from "../../../server/app/metrics.ts";
import type { Installation, ServerConfig, ServerContext } from "../../../server/context/serverContext.ts";
import type { Outbox } from "../../../server/delivery/queue/outbox.ts";
import type { AiModel, BillingConfig } from "../../../server/platform/config/config.ts";
import type { OidcConfig } from "../../../server/platform/config/oidc.ts";
import type { SignUpPolicy } from "../../../server/platform/config/signUpSettings.ts";
import type { KeyPool } from "../../../server/platform/openpgp/keyThreads.ts";
import type { Secrets } from "../../../server/platform/ops/secrets.ts";
import { noTracing, type Tracing } from "../../../server/platform/ops/tracing.ts";
import type {
  GetFromPublicHost,
  PostToPublicHost,
} from "../../../server/platform/outgoing/publicHttpClient.ts";
import type { Database } from "../../../server/platform/store/database.ts";
import { EventFeed } from "../../../server/platform/store/eventFeed.ts";
import { evaluationThreads } from "../../../server/relay/evaluate/evaluate.ts";
import { createIntake, type Intake } from "../../../server/relay/receive/intake.ts";
import { createMailReceiver } from "../../../server/relay/receive/mailReceiver.ts";
import { spoolBytes } from "../../../server/smtp/smtpLimits.ts";
import { refuseBystander, refuseBystanderInMail } from "../../support/bystanderMarker.ts";
import { bystander } from "./bystander.ts";
import { type Client, createClient } from "./client.ts";
import { createMemory } from "./memoryContent.ts";
import { createTestContext } from "./serverContext.ts";
import { sqliteStore, type TestStore } from "./stores.ts";
import { createTestClock, type TestClock } from "./testClock.ts";

/** A queued mail, parsed as a mail program would show it. */
export interface QueuedMail {
  readonly envelopeSender: string;
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly content: Uint8Array;
}

export interface TestServer {
  readonly origin: string;
  readonly port: number;
  readonly http: Server;
  readonly database: Database;
  readonly context: ServerContext;
  readonly clock: TestClock;
  /** All lines of the server's log. */
  readonly logged: readonly string[];
  readonly client: () => Client;
  /** Returns the queued mails to an address, or all without one, oldest first. */
  readonly mails: (recipient?: string) => Promise<readonly QueuedMail[]>;
  /** Returns the code in the newest mail to an address. */
  readonly code: (email: string) => Promise<string>;
  /** Signs in on a new browser; creates the account if the address has none. */
  readonly signIn: (email: string) => Promise<Client>;
  readonly stop: () => Promise<void>;
}

export interface ServerOptions {
  /** Secrets shared with another server process; new ones by default. */
  readonly secrets?: Secrets;
  readonly store?: TestStore;
  readonly publicUrl?: string;
  readonly corsOrigins?: readonly string[];
  readonly trustedProxies?: readonly string[];
  readonly outbox?: Outbox;
  readonly devReloadOrigin?: string;
  readonly sentryDsn?: string;
  readonly tracing?: Tracing;
  readonly telemetryEndpoint?: string;
  readonly defaultTier?: Tier;
  readonly signUp?: SignUpPolicy;
  readonly oidc?: OidcConfig;
  readonly billing?: BillingConfig;
  readonly aiModel?: AiModel;
  readonly breachRanges?: string;
  readonly scheduler?: SchedulerLike;
  /** Whether time passes only when the test advances the clock. */
  readonly clockStands?: boolean;
  readonly operators?: readonly string[];
  readonly installation?: Installation;
  /** Answers the questions about domains of users; by default nobody does. */
  readonly dnsServer?: string;
  readonly metricsToken?: string;
  /** Where a service hands over mail; by default nowhere. */
  readonly inbound?: NonNullable<ServerConfig["inbound"]>;
  /** The client for addresses of strangers; by default one that reaches this machine too. */
  readonly postToPublicHost?: PostToPublicHost;
  /** The client for files of strangers' servers; by default one that reaches this machine too. */
  readonly getFromPublicHost?: GetFromPublicHost;
  /** What examines keys of strangers; by default this thread. */
  readonly keyPool?: Pick<KeyPool, "run">;
  readonly ready?: () => Readonly<Record<string, boolean>>;
}

/** Takes mail as the whole server does. */
const createTestIntake = (context: ServerContext, { all }: Features): Intake => {
  const { relay, clock, log } = context;
  const beginTransaction = createMailReceiver({
    relay,
    parts: all.flatMap(({ mail }) => mail ?? []),
    findEncryption: async () => null,
    evaluationThreads: relay.openThreads(evaluationThreads),
    isUnlimited: () => false,
  });
  const { beginContent } = createMemory(spoolBytes);
  return createIntake({ beginTransaction, beginContent, clock, log });
};

const running = new Set<() => Promise<void>>();

// A failed test may not stop its server, and a running server would keep the test process alive.
after(() => Promise.all([...running].map((stop) => stop())));

const pageHtml = `<!doctype html><html lang="en"><head><title>Masked e-mail</title><meta name="base-address" content=""><link rel="icon" href="/icon.svg"><meta property="csp-nonce" content=""><meta name="configuration" content=""><script>if (1 < 2) document.title = "Bauta";</script></head><body><div id="page"></div></body></html>`;

const typeface = new URL("../../../web/styles/inter/inter.woff2", import.meta.url);

const buildPage = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "bauta-page-"));
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), pageHtml);
  writeFileSync(join(folder, "icon.svg"), "<svg/>");
  writeFileSync(join(folder, "sizes.json"), "{}");
  writeFileSync(join(folder, "THIRD-PARTY-NOTICES.txt"), "Bauta contains nothing else.\n");
  writeFileSync(join(folder, "openapi.json"), JSON.stringify({ openapi: "3.1.0" }));
  writeFileSync(join(folder, "assets/main-ABCDEF12.js"), "export {};");
  writeFileSync(join(folder, "serviceWorker.js"), '"use strict";');
  writeFileSync(join(folder, "manifest.webmanifest"), JSON.stringify({ name: "any", start_url: "/" }));
  writeFileSync(join(folder, "assets/main-ABCDEF12.js.br"), "brotli");
  copyFileSync(typeface, join(folder, "assets/inter-ABCDEF12.woff2"));
  writeFileSync(join(folder, "assets/dev-reload.js"), "reload");
  return folder;
};

let page: string | undefined;

/** The folder of a small page that the servers of a process share. */
const sharedPage = (): string => {
  if (page !== undefined) return page;
  const folder = buildPage();
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  page = folder;
  return folder;
};

/** Starts the real HTTP server on a free port, with its own store and a clock that tests can advance. */
export const startServer = async (options: ServerOptions = {}): Promise<TestServer> => {
  const database = await (options.store ?? sqliteStore).open();
  const clock = createTestClock(options.scheduler, { stands: options.clockStands ?? false });
  const feed = new EventFeed(database, clock);
  const pageFolder = sharedPage();
  const logged: string[] = [];
  const sink = new Writable({
    write: (chunk, _encoding, written) => {
      refuseBystander("a line of the log", String(chunk));
      logged.push(String(chunk));
      written();
    },
  });
  const context = createTestContext({
    ...(options.secrets ? { secrets: options.secrets } : {}),
    ...(options.postToPublicHost ? { postToPublicHost: options.postToPublicHost } : {}),
    ...(options.getFromPublicHost ? { getFromPublicHost: options.getFromPublicHost } : {}),
    ...(options.keyPool ? { keyPool: options.keyPool } : {}),
    ...(options.installation ? { installation: options.installation } : {}),
    database,
    clock,
    feed,
    log: pino({ level: "trace" }, sink),
    dnsServer: options.dnsServer,
    health: async () => ({ parts: options.ready?.() ?? { http: true, store: true }, problems: [] }),
    config: {
      publicUrl: options.publicUrl ?? (options.outbox ? "http://127.0.0.1:3000" : "http://bauta.test"),
      corsOrigins: options.corsOrigins ?? [],
      trustedProxies: options.trustedProxies ?? ["loopback"],
      operators: options.operators ?? [],
      signUp: options.signUp ?? { mode: "open", allowed: [] },
      oidc: options.oidc ?? null,
      defaultTier: options.defaultTier ?? null,
      billing: options.billing ?? null,
      devReloadOrigin: options.devReloadOrigin ?? null,
      sentryDsn: options.sentryDsn ?? null,
      telemetryEndpoint: options.telemetryEndpoint ?? null,
      aiModel: options.aiModel ?? null,
      breachRanges: options.breachRanges ?? null,
      metrics: { listen: null, token: options.metricsToken ?? null },
      inbound: options.inbound ?? null,
    },
  });
  const features = await createServerFeatures(context);
  const app = await createHttpApp(context, features, {
    pageFolder,
    outbox: options.outbox ?? null,
    metrics: createServerMetrics(new Registry(), context),
    tracing: options.tracing ?? noTracing,
    hasRoom: () => true,
    intake: options.inbound ? createTestIntake(context, features) : null,
  });
  const stopFeed = feed.start();
  const origin = await app.listen({ host: "127.0.0.1", port: 0 });

  const mails = async (recipient?: string): Promise<readonly QueuedMail[]> => {
    const every = database.db
      .selectFrom("queue")
      .where("user_id", "is distinct from", bystander.id)
      .selectAll()
      .orderBy("created_at")
      .orderBy("id");
    const rows = await (recipient === undefined ? every : every.where("recipient", "=", recipient)).execute();
    return Promise.all(
      rows.map(async ({ content, envelope_sender, recipient: to }) => {
        const bytes = content ?? new Uint8Array();
        refuseBystanderInMail("a mail in the queue", bytes);
        const { subject = "", text = "", html = "" } = await PostalMime.parse(bytes);
        return { envelopeSender: envelope_sender, recipient: to, subject, text, html, content: bytes };
      }),
    );
  };

  const code = async (email: string): Promise<string> => {
    const newest = (await mails(email)).findLast(({ subject }) => /\d{6}/.test(subject));
    const found = /\d{6}/.exec(newest?.subject ?? "")?.[0];
    if (!found) throw new Error("no code mail in the queue");
    return found;
  };

  const client = (): Client => createClient(origin);

  const signIn = async (email: string): Promise<Client> => {
    const browser = client();
    await browser.call("POST", "/login", { body: { email } });
    const verified = await browser.call("PUT", "/login", { body: { email, otp: await code(email) } });
    const { tempToken } = verified.json as { tempToken?: string };
    const answer = tempToken
      ? await browser.call("POST", "/signup", { body: { tempToken, tier: "free" } })
      : verified;
    browser.token = (answer.json as { token: string }).token;
    return browser;
  };

  const stop = async (): Promise<void> => {
    running.delete(stop);
    stopFeed();
    await app.close();
    await database.close();
  };
  running.add(stop);

  return {
    origin,
    port: Number(new URL(origin).port),
    http: app.server,
    database,
    context,
    clock,
    logged,
    client,
    mails,
    code,
    signIn,
    stop,
  };
};
