import type { FastifyInstance } from "fastify";
import { accountDataRoutes } from "./account/accountDataRoutes.ts";
import { accountRoutes } from "./account/accountRoutes.ts";
import { createAccountFeature } from "./account/accountSocket.ts";
import { createChangeAddress } from "./account/changeAddress.ts";
import { createDeleteAccount } from "./account/deleteAccount.ts";
import { profileRoutes } from "./account/profileRoutes.ts";
import { createRequestAddress } from "./account/requestAddress.ts";
import { billingRoutes, webhookRoute } from "./billing/billingRoutes.ts";
import { createApplyPaidPlan } from "./billing/changePlan.ts";
import { outboxRoutes } from "./delivery/outboxRoutes.ts";
import { createUserKeys } from "./encryption/userKeys.ts";
import { createHttpServer } from "./http/httpServer.ts";
import { isLoopbackOrigin } from "./http/loopback.ts";
import { metricsRoute, mtaStsRoute, serviceRoutes } from "./http/serviceRoutes.ts";
import { createContentAccess, createMailRoutes } from "./mailRoutes.ts";
import { createAccountRulesFeature } from "./masks/accountRules.ts";
import { createMaskFeature } from "./masks/maskSocket.ts";
import {
  createHandleNotificationMessage,
  createNotificationFeature,
} from "./notifications/notificationSocket.ts";
import { operatorRoutes } from "./operator/operatorRoutes.ts";
import { createMetrics } from "./ops/metrics.ts";
import { createIsInNetworks } from "./proof/networks.ts";
import { clientConfiguration, createServices, type HttpAppDeps, type Services } from "./services.ts";
import { readWrongCodes } from "./session/codeCountQueries.ts";
import { openSessionRoutes } from "./session/openSessionRoutes.ts";
import { createRequestCode } from "./session/requestCode.ts";
import { createRefresh, sessionRoutes } from "./session/sessionRoutes.ts";
import { endedSession } from "./session/sessions.ts";
import { secondFactorRoutes, signInRoutes } from "./session/signInRoutes.ts";
import { createSignUp } from "./session/signUp.ts";
import { twoFactorRoutes } from "./session/twoFactorRoutes.ts";
import { createUserTwoFactor } from "./session/userTwoFactor.ts";
import { createVerifyCode } from "./session/verifyCode.ts";
import { createVerifySecondFactor } from "./session/verifySecondFactor.ts";
import { createResourceFeature } from "./socket/socketFeature.ts";
import { createSocketHub } from "./socket/socketHub.ts";
import { socketRoutes } from "./socket/socketRoutes.ts";
import { appPasswordRoutes } from "./submission/appPasswordRoutes.ts";
import { createUserAppPasswords } from "./submission/userAppPasswords.ts";

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
