import type { FastifyInstance } from "fastify";
import {
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  patchWebhook,
  postWebhook,
  postWebhookDelivery,
  postWebhookSecret,
  postWebhookTest,
  type WebhookEdit,
} from "../../../core/webhooks/webhookEndpoints.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { type AuthGuard, routeSignedIn } from "../../platform/http/route.ts";
import type { UserWebhooks } from "./userWebhooks.ts";

/** Whether a change sends nothing more than before, nor elsewhere. */
const isSwitchOff = ({ active, ...others }: WebhookEdit): boolean =>
  active === false && Object.values(others).every((value) => value === undefined);

/** Registers the endpoints of webhooks, each limited to the signed-in user's own. No API token may call them. */
export const webhookRoutes =
  ({ webhooks, authGuard }: { readonly webhooks: UserWebhooks; readonly authGuard: AuthGuard }) =>
  (fastify: FastifyInstance): void => {
    const limited = { perMinute: perMinute.signIn };
    routeSignedIn(fastify, authGuard, listWebhooks, ({ auth }) => webhooks.list(auth.userId));
    routeSignedIn(
      fastify,
      authGuard,
      postWebhook,
      ({ auth, body, recordAnswer }) => webhooks.create(auth.userId, body, recordAnswer),
      { ...limited, addsData: true },
    );
    routeSignedIn(fastify, authGuard, patchWebhook, async ({ auth, params, body, recordAnswer }) => {
      if (!isSwitchOff(body)) await authGuard.assertRecentlyProven(auth);
      return webhooks.edit(auth.userId, params.id, body, recordAnswer);
    });
    routeSignedIn(fastify, authGuard, deleteWebhook, ({ auth, params, recordAnswer }) =>
      webhooks.remove(auth.userId, params.id, recordAnswer),
    );
    routeSignedIn(
      fastify,
      authGuard,
      postWebhookSecret,
      ({ auth, params, recordAnswer }) => webhooks.rotateSecret(auth.userId, params.id, recordAnswer),
      limited,
    );
    routeSignedIn(
      fastify,
      authGuard,
      postWebhookTest,
      ({ auth, params, recordAnswer }) => webhooks.test(auth.userId, params.id, recordAnswer),
      { ...limited, addsData: true },
    );
    routeSignedIn(fastify, authGuard, listWebhookDeliveries, async ({ auth, params }) => ({
      deliveries: await webhooks.deliveries(auth.userId, params.id),
    }));
    routeSignedIn(
      fastify,
      authGuard,
      postWebhookDelivery,
      ({ auth, params, recordAnswer }) => webhooks.sendAgain(auth.userId, params, recordAnswer),
      limited,
    );
  };
