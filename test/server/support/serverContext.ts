import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { loadRe2Patterns } from "../../../adapters/re2/re2Patterns.ts";
import { cryptoRandom } from "../../../adapters/system/clockAndRandom.ts";
import { defaultRepliesPerDay } from "../../../core/tiers/tier.ts";
import { createServerContext } from "../../../server/app/createServerContext.ts";
import { createServerFeatures } from "../../../server/app/features.ts";
import { pruneJobsOf } from "../../../server/app/pruneJobs.ts";
import type { Installation, ServerConfig, ServerContext } from "../../../server/context/serverContext.ts";
import { rowBodies } from "../../../server/delivery/queue/rowBodies.ts";
import { createResolver } from "../../../server/features/operator/installationChecks.ts";
import { runKeyTask } from "../../../server/platform/openpgp/keyTask.ts";
import type { Secrets } from "../../../server/platform/ops/secrets.ts";
import {
  createPublicHttpClient,
  createPublicHttpReader,
} from "../../../server/platform/outgoing/publicHttpClient.ts";
import { createOwnRates } from "../../../server/platform/rates/rates.ts";
import type { Database } from "../../../server/platform/store/database.ts";
import { EventFeed } from "../../../server/platform/store/eventFeed.ts";
import { named } from "../../support/domainNames.ts";
import { createTestClock } from "./testClock.ts";
import { createTestRelay } from "./testRelay.ts";

const maskDomain = named("masks.test");

export const newSecrets = (): Secrets => ({
  signing: randomBytes(32),
  hashing: randomBytes(32),
  sealing: randomBytes(32),
});

const unknownInstallation: Installation = {
  checks: async () => ({ dns: [], machine: [], asOf: new Date(0).toISOString() }),
  version: async () => ({ running: "0.0.0", installed: "0.0.0", changes: [] }),
};

const usualConfig: ServerConfig = {
  brand: "Bauta",
  maskDomain,
  publicUrl: "http://bauta.test",
  smtpHost: "127.0.0.1",
  corsOrigins: [],
  trustedProxies: ["loopback"],
  operators: [],
  signUp: { mode: "open", allowed: [] },
  defaultTier: null,
  oidc: null,
  billing: null,
  devReloadOrigin: null,
  sentryDsn: null,
  telemetryEndpoint: null,
  aiModel: null,
  breachRanges: null,
  repliesPerDay: defaultRepliesPerDay,
  subdomains: 1,
  dkim: "on",
  sendsTlsReports: false,
  metrics: { listen: null, token: null },
  webhookNetworks: ["loopback"],
  inbound: null,
};

export type TestContextOptions = Partial<Omit<ServerContext, "config">> & {
  readonly database: Database;
  readonly config?: Partial<ServerConfig>;
  /** Answers the questions about domains of users; by default nobody does. */
  readonly dnsServer?: string | undefined;
};

/** Creates the context of a server around a database, with everything else real but alone. */
export const createTestContext = ({ config, dnsServer, ...parts }: TestContextOptions): ServerContext => {
  const clock = parts.clock ?? createTestClock();
  const settings = { ...usualConfig, ...config };
  const relay = parts.relay ?? createTestRelay({ database: parts.database, clock, config: settings });
  return createServerContext({
    secrets: newSecrets(),
    random: cryptoRandom,
    log: pino({ level: "silent" }),
    feed: new EventFeed(parts.database, clock),
    rates: createOwnRates(clock.now),
    delivery: { wake: () => {} },
    bodies: rowBodies,
    dns: createResolver(dnsServer ?? "127.0.0.1:9"),
    patterns: loadRe2Patterns,
    submissionServer: () => ({ host: maskDomain, tlsPort: 465, startTlsPort: null }),
    health: async () => ({ parts: { http: true, store: true }, problems: [] }),
    installation: unknownInstallation,
    postToPublicHost: createPublicHttpClient({ networks: ["loopback"], isOwnListener: () => false }),
    getFromPublicHost: createPublicHttpReader({ networks: ["loopback"], isOwnListener: () => false }),
    keyPool: { run: (task) => runKeyTask(task) },
    encryptionPool: relay.encryptionPool,
    ...parts,
    clock,
    relay,
    config: settings,
  });
};

/** Deletes what has expired at `now`, as the server does every ten minutes. */
export const pruneAll = async (database: Database, now: number): Promise<void> => {
  const { all } = await createServerFeatures(createTestContext({ database }));
  for (const { run } of pruneJobsOf(all)) await run(database.db, now, database.engine);
  await database.engine.purgeDeleted();
};
