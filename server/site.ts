import type { FastifyInstance } from "fastify";
import type { ClientConfiguration } from "../core/contract/configuration.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { CompilePattern } from "../core/ports/patterns.ts";
import type { Random } from "../core/ports/random.ts";
import { accountDataRoutes } from "./account/accountDataRoutes.ts";
import { makeChangeAddress } from "./account/changeAddress.ts";
import { makeDeleteAccount } from "./account/deleteAccount.ts";
import { profileRoutes } from "./account/profileRoutes.ts";
import { makeRequestAddress } from "./account/requestAddress.ts";
import { archiveRoutes } from "./archive/archiveRoutes.ts";
import { makeBilling } from "./billing/billing.ts";
import { billingRoutes } from "./billing/billingRoutes.ts";
import { makeGivePaidPlan } from "./billing/givePaidPlan.ts";
import type { Provider } from "./billing/provider.ts";
import { webhookRoute } from "./billing/webhookRoute.ts";
import type { BillingConfig } from "./config/billing.ts";
import type { Config } from "./config/config.ts";
import { contentAccessRoutes } from "./contentAccess/contentAccessRoutes.ts";
import { makeUserContentAccess } from "./contentAccess/userContentAccess.ts";
import type { Delivery } from "./delivery/delivery.ts";
import { makeHttpServer } from "./http/httpServer.ts";
import { isLoopbackOrigin } from "./http/loopback.ts";
import { makeOnce } from "./http/once.ts";
import { outboxRoutes } from "./http/outboxRoutes.ts";
import { serviceRoutes } from "./http/serviceRoutes.ts";
import { accountRoutes } from "./identity/accountRoutes.ts";
import { makeAdmit } from "./identity/admit.ts";
import { makeAuthenticate } from "./identity/authenticate.ts";
import { makeCookies } from "./identity/cookies.ts";
import { makeCsrf } from "./identity/csrf.ts";
import { makeKeyedHash } from "./identity/keyedHash.ts";
import { makeLetIn } from "./identity/letIn.ts";
import { loginRoutes } from "./identity/loginRoutes.ts";
import { makeRefresh } from "./identity/refresh.ts";
import { makeRequestCode } from "./identity/requestCode.ts";
import { makeSeal } from "./identity/seal.ts";
import { sessionListRoutes } from "./identity/sessionListRoutes.ts";
import { sessionRoutes } from "./identity/sessionRoutes.ts";
import { makeSessions } from "./identity/sessions.ts";
import { makeSessionTokens } from "./identity/sessionToken.ts";
import { makeSignUp } from "./identity/signUp.ts";
import { makeVerifyCode } from "./identity/verifyCode.ts";
import { insightsRoutes } from "./insights/insightsRoutes.ts";
import { makeUserInsights } from "./insights/userInsights.ts";
import { keyRoutes } from "./keys/keyRoutes.ts";
import { makeUserKeys } from "./keys/userKeys.ts";
import { webKeyDirectory } from "./keys/webKeyDirectory.ts";
import type { Log } from "./log.ts";
import { confirmRoutes } from "./masks/confirmRoutes.ts";
import { maskRoutes } from "./masks/maskRoutes.ts";
import { notificationRoutes } from "./notifications/notificationRoutes.ts";
import { makeUserNotifications } from "./notifications/userNotifications.ts";
import type { Outbox } from "./outbox/outbox.ts";
import type { Secrets } from "./secrets.ts";
import { makeAnnounce } from "./socket/announcement.ts";
import { makeSocketHub } from "./socket/socketHub.ts";
import { socketRoutes } from "./socket/socketRoutes.ts";
import type { Database } from "./store/database.ts";
import type { EventFeed } from "./store/events.ts";
import { makeNotice } from "./twoFactor/notice.ts";
import { makeTakeFactor } from "./twoFactor/secondFactor.ts";
import { secondFactorRoutes } from "./twoFactor/secondFactorRoutes.ts";
import { twoFactorRoutes } from "./twoFactor/twoFactorRoutes.ts";
import { makeUserTwoFactor } from "./twoFactor/userTwoFactor.ts";
import { makeVerifySecondFactor } from "./twoFactor/verifySecondFactor.ts";

export interface SiteParts {
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
  /** Who takes payments; null: nobody does (D38). */
  readonly provider: Provider | null;
  readonly patterns: () => Promise<CompilePattern>;
  /** Where the built page lies. */
  readonly pageFolder: string;
  /** null while mail leaves by a next hop: then there is no page that shows it, nor for an app that is public. */
  readonly outbox: Outbox | null;
  /** Which parts of the server are ready, by name. */
  readonly health: () => Promise<Readonly<Record<string, boolean>>>;
}

const hostOf = (model: Config["aiModel"]): string | null => (model ? new URL(model.url).host : null);

const originOf = (address: string | null): readonly string[] =>
  address === null ? [] : [new URL(address).origin];

const paymentsOf = ({
  publishableKey,
  prices,
}: BillingConfig): NonNullable<ClientConfiguration["payments"]> => ({
  publishableKey,
  prices: { basic: prices.basic[0], pro: prices.pro[0], pro_premium: prices.pro_premium[0] },
});

/** Everything that answers over HTTP, put together; silent until it is told to listen. */
export const makeSite = (parts: SiteParts): Promise<FastifyInstance> => {
  const { config, secrets, database, clock, random, feed, delivery } = parts;
  const { brand, maskDomain, publicUrl, corsOrigins, sentryDsn, telemetryEndpoint } = config;
  const sender = { brand, maskDomain, publicUrl };
  const hash = makeKeyedHash(secrets.hashing);
  const seal = makeSeal(secrets.sealing, random);
  const cookies = makeCookies(publicUrl);
  const tokens = makeSessionTokens(secrets.signing);
  const sessionParts = { database, tokens, hash, clock, random, feed };
  const sessions = makeSessions(sessionParts);
  const csrf = makeCsrf(hash, cookies, random);
  const door = {
    authenticate: makeAuthenticate(sessions, cookies, csrf),
    once: makeOnce(database, clock, seal),
  };
  const identity = { database, admit: makeAdmit({ sessions, hash, clock, random }), hash, clock, random };
  const letIn = makeLetIn(cookies, csrf);
  const notice = makeNotice({ clock, random, sender });
  const takeFactor = makeTakeFactor({ hash, seal });
  const notifications = makeUserNotifications({ database, clock, feed });
  const hub = makeSocketHub(makeAnnounce(database), clock);
  const everybodys = config.defaultTier ?? "free";
  const failed = (reason: string): void => parts.log.warn({ reason }, "the payment provider failed");
  const billing =
    config.billing && parts.provider
      ? makeBilling({ ...parts, config: config.billing, provider: parts.provider, everybodys, failed })
      : null;
  const masks = { database, clock, random, hash, sender, feed, delivery, patterns: parts.patterns };

  return makeHttpServer({
    log: parts.log,
    brand,
    publicUrl,
    corsOrigins,
    trustedProxies: config.trustedProxies,
    pageFolder: parts.pageFolder,
    takesPayments: billing !== null,
    connectTo: [config.devReloadOrigin, sentryDsn, telemetryEndpoint].flatMap(originOf),
    routes: [
      serviceRoutes({
        configuration: {
          brand,
          maskDomain,
          ...(sentryDsn === null ? {} : { sentryDsn }),
          ...(telemetryEndpoint === null ? {} : { telemetryEndpoint }),
          ...(config.defaultTier === null ? {} : { defaultTier: config.defaultTier }),
          ...(config.billing ? { payments: paymentsOf(config.billing) } : {}),
          flags: { websockets: true, payments: billing !== null, encryption: true },
        },
        health: parts.health,
      }),
      loginRoutes({
        cookies,
        letIn,
        requestCode: makeRequestCode({ database, hash, clock, random, sender, delivery }),
        verifyCode: makeVerifyCode(identity),
        signUp: makeSignUp({
          ...identity,
          everybodys,
          checkPayment: billing?.signUpPayment ?? null,
          givePaidPlan: makeGivePaidPlan(everybodys),
        }),
      }),
      secondFactorRoutes({
        letIn,
        verifySecondFactor: makeVerifySecondFactor({
          database,
          sessions,
          hash,
          clock,
          takeFactor,
          notice,
          feed,
          delivery,
        }),
      }),
      twoFactorRoutes({
        door,
        twoFactor: makeUserTwoFactor({
          database,
          hash,
          seal,
          clock,
          random,
          feed,
          delivery,
          brand,
          takeFactor,
          notice,
        }),
      }),
      sessionRoutes({ cookies, csrf, sessions, refresh: makeRefresh(sessions, sessionParts), door }),
      sessionListRoutes({ database, clock, cookies, door, feed }),
      accountRoutes({ database, clock, door }),
      accountDataRoutes({
        database,
        clock,
        cookies,
        door,
        deleteAccount: makeDeleteAccount({ database, clock, random, sender, takeFactor, delivery }),
      }),
      profileRoutes({
        database,
        door,
        requestAddress: makeRequestAddress({ database, hash, clock, random, sender, delivery }),
        changeAddress: makeChangeAddress({
          database,
          hash,
          clock,
          random,
          sender,
          takeFactor,
          feed,
          delivery,
        }),
      }),
      maskRoutes({ ...masks, door }),
      confirmRoutes(masks),
      billingRoutes({ database, clock, hash, door, billing }),
      ...(billing ? [webhookRoute(billing)] : []),
      keyRoutes({ keys: makeUserKeys({ database, clock, feed }), door }),
      webKeyDirectory({ database, maskDomain }),
      notificationRoutes({ notifications, door }),
      insightsRoutes({ insights: makeUserInsights({ database, clock, feed }), door }),
      contentAccessRoutes({
        access: makeUserContentAccess({ database, clock, feed, externalModel: hostOf(config.aiModel) }),
        door,
      }),
      archiveRoutes({ database, clock, feed, door }),
      socketRoutes({ database, hub, feed, sessions, notifications, cookies, clock, random, origins: config }),
      ...(parts.outbox && isLoopbackOrigin(publicUrl) ? [outboxRoutes({ brand, outbox: parts.outbox })] : []),
    ],
  });
};
