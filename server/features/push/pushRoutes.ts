import type { FastifyInstance } from "fastify";
import * as endpoints from "../../../core/push/pushEndpoints.ts";
import type { FeatureContext } from "../../context/feature.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { route, routePreparedWrite, routeSignedIn, routeWrite } from "../../platform/http/route.ts";
import { pressButton } from "./pushActions.ts";
import type { PushKeys } from "./pushKeys.ts";
import {
  addPushDevice,
  bindPushDevice,
  editPushDevice,
  listPushDevicesOf,
  type PushContext,
  removePushDevice,
  renewPushDevice,
  sendPushTest,
} from "./userPushDevices.ts";

/** Registers the endpoints of push notifications, each limited to the signed-in user's own devices. No API token may call them. */
export const pushRoutes =
  (context: FeatureContext & PushContext & { readonly pushKeys: PushKeys }) =>
  (fastify: FastifyInstance): void => {
    const { authGuard, pushKeys } = context;
    const { db } = context.database;
    const limited = { perMinute: perMinute.signIn };

    routeSignedIn(fastify, authGuard, endpoints.listPushDevices, async ({ auth }) => ({
      key: (await pushKeys()).publicKey,
      devices: await listPushDevicesOf(db, auth.userId),
    }));
    routeWrite(
      fastify,
      authGuard,
      endpoints.postPushDevice,
      ({ tx, auth: { userId, callerId: sessionId }, request, body }) => {
        const userAgent = request.headers["user-agent"] ?? "";
        return addPushDevice(context, tx, { userId, sessionId, userAgent }, body);
      },
      { ...limited, addsData: true },
    );
    routePreparedWrite(
      fastify,
      authGuard,
      endpoints.patchPushDevice,
      async ({ auth, params: { id }, body }) => {
        if (body.showsSender === true) await authGuard.assertRecentlyProven(auth);
        return (tx) => editPushDevice(context, tx, { userId: auth.userId, id }, body);
      },
    );
    routeWrite(fastify, authGuard, endpoints.deletePushDevice, ({ tx, auth: { userId }, params: { id } }) =>
      removePushDevice(tx, { userId, id }),
    );
    routeWrite(
      fastify,
      authGuard,
      endpoints.postPushTest,
      ({ tx, auth: { userId }, params: { id } }) => sendPushTest(context, tx, { userId, id }),
      { ...limited, addsData: true },
    );
    routeWrite(
      fastify,
      authGuard,
      endpoints.putPushDeviceHere,
      ({ tx, auth: { userId, callerId: sessionId }, body: { mark } }) =>
        bindPushDevice(tx, { userId, sessionId }, mark),
    );
    route(
      fastify,
      endpoints.putPushSubscription,
      ({ body }) => context.database.transaction((tx) => renewPushDevice(context, tx, body)),
      limited,
    );
    route(fastify, endpoints.postPushAction, ({ body: { token } }) => pressButton(context, token), limited);
  };
