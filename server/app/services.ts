import type { ClientConfiguration } from "../../core/api/configuration.ts";
import type { SubmissionServer } from "../../core/appPasswords/appPasswordEndpoints.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { CompilePattern } from "../../core/ports/patterns.ts";
import type { Random } from "../../core/ports/random.ts";
import type { Tier } from "../../core/tiers/tier.ts";
import type { Delivery } from "../delivery/delivery.ts";
import type { Outbox } from "../delivery/queue/outbox.ts";
import type { SystemMailSender } from "../delivery/systemMail/systemMail.ts";
import { type Billing, createBilling } from "../features/billing/billing.ts";
import type { PaymentProvider } from "../features/billing/paymentProvider.ts";
import { createWrongCodes } from "../features/codes/wrongCodes.ts";
import type { CheckDomain } from "../features/domains/checkDomain.ts";
import type { CheckSubdomainName } from "../features/domains/subdomainNames.ts";
import { createListMasks } from "../features/masks/list/maskLists.ts";
import { createUserNotifications } from "../features/notifications/userNotifications.ts";
import type { Installation } from "../features/operator/operatorRoutes.ts";
import { createSenderLists } from "../features/senders/senderLists.ts";
import { createAuthenticate, createCsrf } from "../features/session/authenticate.ts";
import { createCookies } from "../features/session/cookies.ts";
import { createSessions } from "../features/session/sessions.ts";
import { createSessionTokens } from "../features/session/sessionToken.ts";
import { createKnownBrowsers } from "../features/session/signIn/knownBrowser.ts";
import { createCompleteSignIn, createStartSession } from "../features/session/startSession.ts";
import { createConsumeFactor, createCountFactorTry } from "../features/session/twoFactor/secondFactor.ts";
import { createNotifyTwoFactor } from "../features/session/twoFactor/twoFactorNotice.ts";
import type { BillingConfig, Config } from "../platform/config/config.ts";
import { createRunOnce } from "../platform/http/idempotency.ts";
import type { AuthGuard } from "../platform/http/route.ts";
import { createKeyedHash } from "../platform/ops/keyedHash.ts";
import type { Log } from "../platform/ops/log.ts";
import type { Health, OutgoingFigures } from "../platform/ops/metrics.ts";
import { createSeal, type Secrets } from "../platform/ops/secrets.ts";
import type { Database } from "../platform/store/database.ts";
import type { EventFeed } from "../platform/store/events.ts";

/** The dependencies of the HTTP server and all its routes. */
export interface HttpAppDeps {
  readonly config: Pick<
    Config,
    | "brand"
    | "maskDomain"
    | "publicUrl"
    | "corsOrigins"
    | "trustedProxies"
    | "sentryDsn"
    | "telemetryEndpoint"
    | "devReloadOrigin"
    | "defaultTier"
    | "signUp"
    | "operators"
    | "billing"
    | "aiModel"
    | "breachRanges"
    | "repliesPerDay"
    | "subdomains"
    | "dkim"
  >;
  readonly secrets: Secrets;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly feed: EventFeed;
  readonly delivery: Pick<Delivery, "wake">;
  /** Where mail programs send their mail at the moment. */
  readonly submissionServer: () => SubmissionServer;
  /** Null without billing (D38). */
  readonly provider: PaymentProvider | null;
  readonly patterns: () => Promise<CompilePattern>;
  readonly pageFolder: string;
  /** Null when a next hop delivers the mail. */
  readonly outbox: Outbox | null;
  /** Null without direct delivery. */
  readonly outgoingFigures?: OutgoingFigures | null;
  readonly health: () => Promise<Health>;
  /** Whether new data may be stored. */
  readonly hasRoom: () => boolean;
  readonly checkDomain: CheckDomain;
  readonly checkSubdomainName: CheckSubdomainName;
  /** What the operator's page shows of the machine and its surroundings. */
  readonly installation: Installation;
}

const paymentsOf = ({
  publishableKey,
  prices,
}: BillingConfig): NonNullable<ClientConfiguration["payments"]> => ({
  publishableKey,
  prices: { basic: prices.basic[0], pro: prices.pro[0], pro_premium: prices.pro_premium[0] },
});

/** Returns the configuration that the web app loads first. */
export const clientConfiguration = (
  config: HttpAppDeps["config"],
  takesPayments: boolean,
): ClientConfiguration => {
  const { brand, maskDomain, sentryDsn, telemetryEndpoint, defaultTier, billing } = config;
  return {
    brand,
    maskDomain,
    ...(sentryDsn === null ? {} : { sentryDsn }),
    ...(telemetryEndpoint === null ? {} : { telemetryEndpoint }),
    ...(defaultTier === null ? {} : { defaultTier }),
    ...(billing ? { payments: paymentsOf(billing) } : {}),
    flags: {
      websockets: true,
      payments: takesPayments,
      encryption: true,
      ...(config.breachRanges === null ? {} : { breachCheck: true }),
    },
  };
};

const createBillingService = (deps: HttpAppDeps, defaultTier: Tier): Billing | null => {
  const { config, provider, database, clock, random, feed, log } = deps;
  if (!config.billing || !provider) return null;
  const onFailure = (reason: string): void => log.warn({ reason }, "the payment provider failed");
  return createBilling({
    config: config.billing,
    database,
    clock,
    random,
    feed,
    provider,
    defaultTier,
    onFailure,
  });
};

/** Creates the services that several routes share: authentication, idempotency, billing, notifications, and lists of masks. */
export const createServices = (deps: HttpAppDeps) => {
  const { config, secrets, database, clock, random, feed } = deps;
  const { brand, maskDomain, publicUrl } = config;
  const hash = createKeyedHash(secrets.hashing);
  const seal = createSeal(secrets.sealing, random);
  const senderLists = createSenderLists(hash, seal);
  const cookies = createCookies(publicUrl);
  const tokens = createSessionTokens(secrets.signing);
  const sessions = createSessions({ database, tokens, hash, clock, random, feed });
  const csrf = createCsrf(hash, cookies, random);
  const sender: SystemMailSender = { brand, maskDomain, publicUrl };
  const defaultTier = config.defaultTier ?? "free";
  const browsers = createKnownBrowsers(hash, random);
  const wrongCodes = createWrongCodes({ database, hash, clock, random, sender, log: deps.log });
  const authGuard: AuthGuard = {
    authenticate: createAuthenticate(sessions, cookies, csrf),
    runOnce: createRunOnce(database, clock, seal),
  };
  return {
    sender,
    hash,
    seal,
    cookies,
    tokens,
    sessions,
    csrf,
    defaultTier,
    authGuard,
    billing: createBillingService(deps, defaultTier),
    startSession: createStartSession(cookies, csrf, browsers),
    completeSignIn: createCompleteSignIn({ sessions, hash, clock, random }),
    notifyTwoFactor: createNotifyTwoFactor({ clock, random, sender }),
    browsers,
    wrongCodes,
    consumeFactor: createConsumeFactor({ hash, seal, wrongCodes }),
    countFactorTry: createCountFactorTry({ wrongCodes }),
    notifications: createUserNotifications({ database, seal, clock, feed }),
    senderLists,
    listMasks: createListMasks(database, senderLists),
  };
};

/** The services that several routes share. */
export type Services = ReturnType<typeof createServices>;
