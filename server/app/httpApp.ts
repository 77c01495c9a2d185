import type { FastifyInstance } from "fastify";
import { outboxRoutes } from "../delivery/queue/outboxRoutes.ts";
import { accountDataRoutes } from "../features/account/accountDataRoutes.ts";
import { accountRoutes } from "../features/account/accountRoutes.ts";
import { createAccountFeature } from "../features/account/accountSocket.ts";
import { createChangeAddress } from "../features/account/changeAddress.ts";
import { createDeleteAccount } from "../features/account/deleteAccount.ts";
import { profileRoutes } from "../features/account/profileRoutes.ts";
import { createRequestAddress } from "../features/account/requestAddress.ts";
import { appPasswordRoutes } from "../features/appPasswords/appPasswordRoutes.ts";
import { createUserAppPasswords } from "../features/appPasswords/userAppPasswords.ts";
import { billingRoutes, webhookRoute } from "../features/billing/billingRoutes.ts";
import { createApplyPaidPlan } from "../features/billing/changePlan.ts";
import { readWrongCodes } from "../features/codes/codeCountQueries.ts";
import { createUserKeys } from "../features/encryption/userKeys.ts";
import { createMaskFeature } from "../features/masks/list/maskSocket.ts";
import {
  createHandleNotificationMessage,
  createNotificationFeature,
} from "../features/notifications/notificationSocket.ts";
import { operatorRoutes } from "../features/operator/operatorRoutes.ts";
import { createAccountRulesFeature } from "../features/rules/accountRules.ts";
import { openSessionRoutes } from "../features/session/openSessionRoutes.ts";
import { createRefresh, sessionRoutes } from "../features/session/sessionRoutes.ts";
import { endedSession } from "../features/session/sessions.ts";
import { createRequestCode } from "../features/session/signIn/requestCode.ts";
import { secondFactorRoutes, signInRoutes } from "../features/session/signIn/signInRoutes.ts";
import { createSignUp } from "../features/session/signIn/signUp.ts";
import { createVerifyCode } from "../features/session/signIn/verifyCode.ts";
import { twoFactorRoutes } from "../features/session/twoFactor/twoFactorRoutes.ts";
import { createUserTwoFactor } from "../features/session/twoFactor/userTwoFactor.ts";
import { createVerifySecondFactor } from "../features/session/twoFactor/verifySecondFactor.ts";
import { createIsInNetworks } from "../platform/dns/networks.ts";
import { createHttpServer } from "../platform/http/httpServer.ts";
import { isLoopbackOrigin } from "../platform/http/loopback.ts";
import { metricsRoute, mtaStsRoute, serviceRoutes } from "../platform/http/serviceRoutes.ts";
import { createMetrics } from "../platform/ops/metrics.ts";
import { createResourceFeature } from "../platform/socket/socketFeature.ts";
import { createSocketHub } from "../platform/socket/socketHub.ts";
import { socketRoutes } from "../platform/socket/socketRoutes.ts";
import { createContentAccess, createMailRoutes } from "./mailRoutes.ts";
import { clientConfiguration, createServices, type HttpAppDeps, type Services } from "./services.ts";

type Routes = (fastify: FastifyInstance) => void;

const createSessionRoutes = (deps: HttpAppDeps, services: Services): readonly Routes[] => {
  const { config, database, clock, random, feed, delivery } = deps;
  const { sender, hash, seal, cookies, tokens, sessions, csrf, authGuard, defaultTier, billing } = services;
  const {
    startSession,
    completeSignIn,
    consumeFactor,
    countFactorTry,
    wrongCodes,
    browsers,
    notifyTwoFactor,
  } = services;
  const { brand } = config;
  return [
    signInRoutes({
      cookies,
      browsers,
      startSession,
      requestCode: createRequestCode({ database, hash, clock, random, sender, delivery }),
      verifyCode: createVerifyCode({
        policy: config.signUp,
        database,
        completeSignIn,
        wrongCodes,
        hash,
        clock,
        random,
      }),
      signUp: createSignUp({
        policy: config.signUp,
        operators: config.operators,
        defaultTier,
        checkPayment: billing?.signUpPayment ?? null,
        applyPaidPlan: createApplyPaidPlan(defaultTier),
        database,
        completeSignIn,
        hash,
        clock,
        random,
      }),
    }),
    secondFactorRoutes({
      cookies,
      browsers,
      startSession,
      verifySecondFactor: createVerifySecondFactor({
        database,
        sessions,
        hash,
        clock,
        consumeFactor,
        countFactorTry,
        notifyTwoFactor,
        feed,
        delivery,
      }),
    }),
    twoFactorRoutes({
      authGuard,
      twoFactor: createUserTwoFactor({
        hash,
        seal,
        database,
        clock,
        random,
        feed,
        delivery,
        brand,
        consumeFactor,
        countFactorTry,
        notifyTwoFactor,
      }),
    }),
    sessionRoutes({
      cookies,
      csrf,
      sessions,
      authGuard,
      refresh: createRefresh(sessions, { database, tokens, hash, clock, random }),
    }),
    openSessionRoutes({ database, clock, cookies, authGuard, feed }),
  ];
};

const createAccountRoutes = (deps: HttpAppDeps, services: Services): readonly Routes[] => {
  const { database, clock, random, feed, delivery, submissionServer } = deps;
  const { sender, hash, seal, cookies, authGuard, consumeFactor, countFactorTry, billing } = services;
  return [
    accountRoutes({ database, clock, repliesPerDay: deps.config.repliesPerDay, authGuard }),
    accountDataRoutes({
      database,
      seal,
      senderLists: services.senderLists,
      maskDomain: sender.maskDomain,
      clock,
      cookies,
      authGuard,
      deleteAccount: createDeleteAccount({
        database,
        clock,
        random,
        sender,
        consumeFactor,
        countFactorTry,
        delivery,
      }),
    }),
    profileRoutes({
      database,
      clock,
      feed,
      authGuard,
      requestAddress: createRequestAddress({ database, hash, clock, random, sender, delivery }),
      changeAddress: createChangeAddress({
        database,
        hash,
        clock,
        random,
        sender,
        consumeFactor,
        countFactorTry,
        feed,
        delivery,
      }),
    }),
    appPasswordRoutes({
      passwords: createUserAppPasswords({ database, clock, random, feed }),
      submissionServer,
      authGuard,
    }),
    billingRoutes({ database, clock, hash, authGuard, billing }),
    ...(billing ? [webhookRoute(billing)] : []),
  ];
};

const createSocket = (deps: HttpAppDeps, services: Services): Routes => {
  const { config, database, clock, random, feed } = deps;
  const { sessions, cookies, notifications } = services;
  const { publicUrl, corsOrigins } = config;
  const features = [
    createMaskFeature(database, services.listMasks, services.senderLists),
    createAccountRulesFeature(database),
    createAccountFeature(database, clock, config.repliesPerDay),
    createNotificationFeature(database, services.seal),
    createResourceFeature("keys", createUserKeys({ database, clock, feed }).getAnnounced),
    createResourceFeature("content-access", createContentAccess(deps).getAnnounced),
    createResourceFeature("insights"),
    createResourceFeature("held"),
    createResourceFeature("log"),
    createResourceFeature("domains"),
  ];
  return socketRoutes({
    hub: createSocketHub({ features, endedSession, clock }),
    features,
    handleFeatureMessage: createHandleNotificationMessage(notifications),
    feed,
    sessions,
    readSessionCookie: cookies.session.read,
    clock,
    random,
    origins: { publicUrl, corsOrigins },
  });
};

const originOf = (address: string | null): readonly string[] =>
  address === null ? [] : [new URL(address).origin];

/** Creates the HTTP server with all routes; it does not listen yet. */
export const createHttpApp = (deps: HttpAppDeps): Promise<FastifyInstance> => {
  const { config, database, clock, log, health, hasRoom, outbox, pageFolder } = deps;
  const { brand, publicUrl, corsOrigins, trustedProxies } = config;
  const services = createServices(deps);
  const takesPayments = services.billing !== null;
  const configuration = clientConfiguration(config, takesPayments);

  return createHttpServer({
    log,
    configuration,
    publicUrl,
    corsOrigins,
    trustedProxies,
    isProxy: createIsInNetworks(trustedProxies),
    pageFolder,
    takesPayments,
    hasRoom,
    connectOrigins: [config.devReloadOrigin, config.sentryDsn, config.telemetryEndpoint].flatMap(originOf),
    routes: [
      serviceRoutes({ configuration, health }),
      mtaStsRoute(config.maskDomain),
      metricsRoute(
        createMetrics({ database, clock, health, readWrongCodes, outgoing: deps.outgoingFigures ?? null }),
      ),
      ...createSessionRoutes(deps, services),
      ...createAccountRoutes(deps, services),
      ...createMailRoutes(deps, services),
      operatorRoutes({
        database,
        clock,
        health,
        installation: deps.installation,
        authGuard: services.authGuard,
      }),
      createSocket(deps, services),
      ...(outbox !== null && isLoopbackOrigin(publicUrl) ? [outboxRoutes({ brand, outbox })] : []),
    ],
  });
};
