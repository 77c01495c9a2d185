import type { SubmissionServer } from "../../core/appPasswords/appPasswordEndpoints.ts";
import type { OperatorChecks, OperatorOverview } from "../../core/operator/operatorEndpoints.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { CompilePattern } from "../../core/ports/patterns.ts";
import type { Random } from "../../core/ports/random.ts";
import type { Delivery } from "../delivery/delivery.ts";
import type { BodyReader } from "../delivery/queue/bodyStore.ts";
import type { SystemMailSender } from "../delivery/systemMail/systemMail.ts";
import type { Config } from "../platform/config/config.ts";
import type { DnsResolver, NameResolver } from "../platform/dns/dnsResolver.ts";
import type { KeyPool } from "../platform/openpgp/keyThreads.ts";
import type { Health } from "../platform/ops/health.ts";
import type { KeyedHash } from "../platform/ops/keyedHash.ts";
import type { Log } from "../platform/ops/log.ts";
import type { Seal, Secrets } from "../platform/ops/secrets.ts";
import type { GetFromPublicHost, PostToPublicHost } from "../platform/outgoing/publicHttpClient.ts";
import type { Rates } from "../platform/rates/rates.ts";
import type { Database } from "../platform/store/database.ts";
import type { EventFeed } from "../platform/store/eventFeed.ts";
import type { RelayContext } from "../relay/relayContext.ts";

/**
 * The services of the process that every feature may use. `server/app` creates it. A feature adds here what it offers to every
 * other one, beside the declaration of what it offers.
 */
export interface ServerContext {
  /** The single things of the process that receive mail. */
  readonly relay: RelayContext;
  readonly config: ServerConfig;
  readonly secrets: Secrets;
  /** True if users choose among plans here; elsewhere nothing that a user reads speaks of plans. */
  readonly sellsPlans: boolean;
  readonly seal: Seal;
  readonly hash: KeyedHash;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly feed: EventFeed;
  /** Counts how often things happen, for limits. */
  readonly rates: Rates;
  readonly delivery: Pick<Delivery, "wake">;
  /** The files with the content of waiting mail. */
  readonly bodies: BodyReader;
  /** The name and address that the mails of the service have as their sender. */
  readonly sender: SystemMailSender;
  /** The resolver of DNS_SERVER, or the system's. */
  readonly dns: DnsResolver & NameResolver;
  /** Loads the engine for regular expressions, only when a rule needs it. */
  readonly patterns: () => Promise<CompilePattern>;
  /** Returns the server to which mail programs send their mail at the moment. */
  readonly submissionServer: () => SubmissionServer;
  /** Posts to addresses that users name, in public networks and those that the operator lists. */
  readonly postToPublicHost: PostToPublicHost;
  /** Fetches files from servers that users' addresses name, in the same networks. */
  readonly getFromPublicHost: GetFromPublicHost;
  /** The thread that examines keys of strangers. */
  readonly keyPool: Pick<KeyPool, "run">;
  readonly health: () => Promise<Health>;
  /** The machine and its surroundings as the operator's page shows them. */
  readonly installation: Installation;
}

/** The machine that the server runs on, and what the world sees of it. */
export interface Installation {
  readonly checks: () => Promise<OperatorChecks>;
  readonly version: () => Promise<OperatorOverview["version"]>;
}

/** The settings that features and the HTTP server know. */
export type ServerConfig = Pick<
  Config,
  | "brand"
  | "maskDomain"
  | "publicUrl"
  | "smtpHost"
  | "corsOrigins"
  | "trustedProxies"
  | "sentryDsn"
  | "telemetryEndpoint"
  | "devReloadOrigin"
  | "defaultTier"
  | "signUp"
  | "oidc"
  | "operators"
  | "billing"
  | "aiModel"
  | "breachRanges"
  | "repliesPerDay"
  | "subdomains"
  | "dkim"
  | "sendsTlsReports"
  | "metrics"
  | "webhookNetworks"
  | "inbound"
>;
