import type { FastifyInstance } from "fastify";
import * as endpoints from "../../../core/webhooks/webhookEndpoints.ts";
import type { FeatureContext } from "../../context/feature.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { routePreparedWrite, routeSignedIn, routeWrite } from "../../platform/http/route.ts";
import {
  editWebhook,
  listDeliveries,
  listUserWebhooks,
  makeWebhook,
  removeWebhook,
  rotateSecret,
  sendMessageAgain,
  sendTestMessage,
  type WebhookContext,
} from "./userWebhooks.ts";

/** True if a change sends nothing more than before, nor elsewhere. */
const isSwitchOff = ({ active, ...others }: endpoints.WebhookEdit): boolean =>
  active === false && Object.values(others).every((value) => value === undefined);

/** Registers the endpoints of webhooks, each limited to the signed-in user's own. No API token may call them. */
export const webhookRoutes =
  (context: WebhookContext & Pick<FeatureContext, "database" | "authGuard">) =>
  (fastify: FastifyInstance): void => {
    const { authGuard } = context;
    const { db } = context.database;
    const limited = { perMinute: perMinute.signIn };
    routeSignedIn(fastify, authGuard, endpoints.listWebhooks, ({ auth }) =>
      listUserWebhooks(context, db, auth.userId),
    );
    routeWrite(
      fastify,
      authGuard,
      endpoints.postWebhook,
      ({ tx, auth, body }) => makeWebhook(context, tx, auth.userId, body),
      { ...limited, addsData: true },
    );
    routePreparedWrite(fastify, authGuard, endpoints.patchWebhook, async ({ auth, params, body }) => {
      if (!isSwitchOff(body)) await authGuard.assertRecentlyProven(auth);
      return (tx) => editWebhook(context, tx, { userId: auth.userId, id: params.id }, body);
    });
    routeWrite(fastify, authGuard, endpoints.deleteWebhook, ({ tx, auth: { userId }, params: { id } }) =>
      removeWebhook(tx, { userId, id }),
    );
    routeWrite(
      fastify,
      authGuard,
      endpoints.postWebhookSecret,
      ({ tx, auth: { userId }, params: { id } }) => rotateSecret(context, tx, { userId, id }),
      limited,
    );
    routeWrite(
      fastify,
      authGuard,
      endpoints.postWebhookTest,
      ({ tx, auth: { userId }, params: { id } }) => sendTestMessage(context, tx, { userId, id }),
      { ...limited, addsData: true },
    );
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.listWebhookDeliveries,
      async ({ auth: { userId }, params: { id } }) => ({
        deliveries: await listDeliveries(context, db, { userId, id }),
      }),
    );
    routeWrite(
      fastify,
      authGuard,
      endpoints.postWebhookDelivery,
      ({ tx, auth: { userId }, params: { id, delivery } }) =>
        sendMessageAgain(context, tx, { userId, id }, delivery),
      limited,
    );
  };
