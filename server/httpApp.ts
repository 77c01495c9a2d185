import type { FastifyInstance } from "fastify";
import type { ClientConfiguration } from "../core/api/configuration.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { CompilePattern } from "../core/ports/patterns.ts";
import type { Random } from "../core/ports/random.ts";
import type { Tier } from "../core/tiers/tier.ts";
import { accountDataRoutes } from "./account/accountDataRoutes.ts";
import { accountRoutes } from "./account/accountRoutes.ts";
import { createChangeAddress } from "./account/changeAddress.ts";
import { createDeleteAccount } from "./account/deleteAccount.ts";
import { profileRoutes } from "./account/profileRoutes.ts";
import { createRequestAddress } from "./account/requestAddress.ts";
import { archiveRoutes } from "./archive/archiveRoutes.ts";
import { createBilling } from "./billing/billing.ts";
import { billingRoutes, webhookRoute } from "./billing/billingRoutes.ts";
import { createApplyPaidPlan } from "./billing/changePlan.ts";
import type { PaymentProvider } from "./billing/paymentProvider.ts";
import type { BillingConfig } from "./config/billingConfig.ts";
import type { Config } from "./config/config.ts";
import { contentAccessRoutes, createUserContentAccess } from "./contentAccess/contentAccessRoutes.ts";
import type { Delivery } from "./delivery/delivery.ts";
import type { Outbox } from "./delivery/outbox.ts";
import { outboxRoutes } from "./delivery/outboxRoutes.ts";
import { createUserKeys, keyRoutes } from "./encryption/keyRoutes.ts";
import { webKeyDirectory } from "./encryption/webKeyDirectory.ts";
import { createHttpServer } from "./http/httpServer.ts";
import { createRunOnce } from "./http/idempotency.ts";
import { isLoopbackOrigin } from "./http/loopback.ts";
import { metricsRoute, serviceRoutes } from "./http/serviceRoutes.ts";
import { readCategories } from "./insights/figures.ts";
import { createUserInsights, insightsRoutes } from "./insights/insightsRoutes.ts";
import { confirmationRoutes } from "./masks/confirmationRoutes.ts";
import { maskRoutes } from "./masks/maskRoutes.ts";
import { notificationRoutes } from "./notifications/notificationRoutes.ts";
import { createUserNotifications } from "./notifications/userNotifications.ts";
import type { Log } from "./ops/log.ts";
import { createSeal, type Secrets } from "./ops/secrets.ts";
import { createAuthenticate, createCsrf } from "./session/authenticate.ts";
import { createCookies } from "./session/cookies.ts";
import { createKeyedHash } from "./session/keyedHash.ts";
import { openSessionRoutes } from "./session/openSessionRoutes.ts";
import { createRequestCode } from "./session/requestCode.ts";
import { createConsumeFactor } from "./session/secondFactor.ts";
import { createRefresh, sessionRoutes } from "./session/sessionRoutes.ts";
import { createSessions } from "./session/sessions.ts";
import { createSessionTokens } from "./session/sessionToken.ts";
import { secondFactorRoutes, signInRoutes } from "./session/signInRoutes.ts";
import { createSignUp } from "./session/signUp.ts";
import { createCompleteSignIn, createStartSession } from "./session/startSession.ts";
import { createNotifyTwoFactor } from "./session/twoFactorNotice.ts";
import { twoFactorRoutes } from "./session/twoFactorRoutes.ts";
import { createUserTwoFactor } from "./session/userTwoFactor.ts";
import { createVerifyCode } from "./session/verifyCode.ts";
import { createVerifySecondFactor } from "./session/verifySecondFactor.ts";
import { createBuildMessage, createSocketHub } from "./socket/socketHub.ts";
import { socketRoutes } from "./socket/socketRoutes.ts";
import type { Database } from "./store/database.ts";
import type { EventFeed } from "./store/events.ts";

/** The dependencies of the HTTP server and all its routes. */
interface HttpAppDeps {
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
    | "billing"
    | "aiModel"
  >;
  readonly secrets: Secrets;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly feed: EventFeed;
  readonly delivery: Pick<Delivery, "wake">;
  /** The payment provider; null without billing (D38). */
  readonly provider: PaymentProvider | null;
  readonly patterns: () => Promise<CompilePattern>;
  /** The folder of the built web app. */
  readonly pageFolder: string;
  /** The outbox; null when a next hop delivers the mail. */
  readonly outbox: Outbox | null;
  /** Returns the readiness of each part of the server by name. */
  readonly health: () => Promise<Readonly<Record<string, boolean>>>;
}

const paymentsOf = ({
  publishableKey,
  prices,
}: BillingConfig): NonNullable<ClientConfiguration["payments"]> => ({
  publishableKey,
  prices: { basic: prices.basic[0], pro: prices.pro[0], pro_premium: prices.pro_premium[0] },
});

/** Returns the configuration that the web app loads first. */
const clientConfiguration = (config: HttpAppDeps["config"], takesPayments: boolean): ClientConfiguration => {
  const { brand, maskDomain, sentryDsn, telemetryEndpoint, defaultTier, billing } = config;
  return {
    brand,
    maskDomain,
    ...(sentryDsn === null ? {} : { sentryDsn }),
    ...(telemetryEndpoint === null ? {} : { telemetryEndpoint }),
    ...(defaultTier === null ? {} : { defaultTier }),
    ...(billing ? { payments: paymentsOf(billing) } : {}),
    flags: { websockets: true, payments: takesPayments, encryption: true },
  };
};

const createBillingService = (deps: HttpAppDeps, defaultTier: Tier) => {
  const { config, provider, log } = deps;
  const onFailure = (reason: string): void => log.warn({ reason }, "the payment provider failed");
  return config.billing && provider
    ? createBilling({ ...deps, config: config.billing, provider, defaultTier, onFailure })
    : null;
};

/** Creates the services that the routes share: authentication, idempotency, billing, and notifications. */
const createServices = (deps: HttpAppDeps) => {
  const { config, secrets, database, clock, random, feed, delivery, patterns } = deps;
  const { brand, maskDomain, publicUrl } = config;
  const sender = { brand, maskDomain, publicUrl };
  const hash = createKeyedHash(secrets.hashing);
  const seal = createSeal(secrets.sealing, random);
  const cookies = createCookies(publicUrl);
  const tokens = createSessionTokens(secrets.signing);
  const sessions = createSessions({ database, tokens, hash, clock, random, feed });
  const csrf = createCsrf(hash, cookies, random);
  const defaultTier = config.defaultTier ?? "free";
  return {
    ...{ brand, maskDomain, sender, database, clock, random, feed, delivery, patterns },
    ...{ hash, seal, cookies, tokens, sessions, csrf, defaultTier },
    billing: createBillingService(deps, defaultTier),
    authGuard: {
      authenticate: createAuthenticate(sessions, cookies, csrf),
      runOnce: createRunOnce(database, clock, seal),
    },
    startSession: createStartSession(cookies, csrf),
    notifyTwoFactor: createNotifyTwoFactor({ clock, random, sender }),
    consumeFactor: createConsumeFactor({ hash, seal }),
    notifications: createUserNotifications({ database, clock, feed }),
  };
};

type Services = ReturnType<typeof createServices>;

/** Creates the routes for sign-in, sessions, two-factor authentication, the account, and billing. */
const identityRoutes = (services: Services) => {
  const { defaultTier, billing, sessions } = services;
  const identity = { ...services, completeSignIn: createCompleteSignIn(services) };
  return [
    signInRoutes({
      ...services,
      requestCode: createRequestCode(services),
      verifyCode: createVerifyCode(identity),
      signUp: createSignUp({
        ...identity,
        checkPayment: billing?.signUpPayment ?? null,
        applyPaidPlan: createApplyPaidPlan(defaultTier),
      }),
    }),
    secondFactorRoutes({ ...services, verifySecondFactor: createVerifySecondFactor(services) }),
    twoFactorRoutes({ ...services, twoFactor: createUserTwoFactor(services) }),
    sessionRoutes({ ...services, refresh: createRefresh(sessions, services) }),
    openSessionRoutes(services),
    accountRoutes(services),
    accountDataRoutes({ ...services, deleteAccount: createDeleteAccount(services) }),
    profileRoutes({
      ...services,
      requestAddress: createRequestAddress(services),
      changeAddress: createChangeAddress(services),
    }),
    billingRoutes(services),
    ...(billing ? [webhookRoute(billing)] : []),
  ];
};

const hostOf = (model: Config["aiModel"]): string | null => (model ? new URL(model.url).host : null);

/** Creates the routes for masks, keys, notifications, insights, content access, and the archive. */
const mailRoutes = (services: Services, { aiModel }: Pick<Config, "aiModel">) => [
  maskRoutes({ ...services, readCategories }),
  confirmationRoutes(services),
  keyRoutes({ ...services, keys: createUserKeys(services) }),
  webKeyDirectory(services),
  notificationRoutes(services),
  insightsRoutes({ ...services, insights: createUserInsights(services) }),
  contentAccessRoutes({
    ...services,
    access: createUserContentAccess({ ...services, externalModel: hostOf(aiModel) }),
  }),
  archiveRoutes(services),
];

const originOf = (address: string | null): readonly string[] =>
  address === null ? [] : [new URL(address).origin];

/** Creates the HTTP server with all routes; it does not listen yet. */
export const createHttpApp = (deps: HttpAppDeps): Promise<FastifyInstance> => {
  const { config, database, log, health, outbox, pageFolder } = deps;
  const { brand, publicUrl, corsOrigins, trustedProxies } = config;
  const services = createServices(deps);
  const takesPayments = services.billing !== null;
  const hub = createSocketHub(createBuildMessage(database), deps.clock);
  const isOutboxShown = outbox !== null && isLoopbackOrigin(publicUrl);

  return createHttpServer({
    ...{ log, brand, publicUrl, corsOrigins, trustedProxies, pageFolder, takesPayments },
    connectOrigins: [config.devReloadOrigin, config.sentryDsn, config.telemetryEndpoint].flatMap(originOf),
    routes: [
      serviceRoutes({ configuration: clientConfiguration(config, takesPayments), health }),
      metricsRoute(deps),
      ...identityRoutes(services),
      ...mailRoutes(services, config),
      socketRoutes({ ...services, hub, origins: config }),
      ...(isOutboxShown ? [outboxRoutes({ brand, outbox })] : []),
    ],
  });
};
