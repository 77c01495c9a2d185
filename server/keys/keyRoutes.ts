import type { FastifyInstance } from "fastify";
import * as endpoints from "../../core/keys/keyEndpoints.ts";
import { perMinute } from "../http/limits.ts";
import { type Door, routeSignedIn } from "../http/route.ts";
import type { UserKeys } from "./userKeys.ts";

/** The key a user's mail is encrypted to (KE3). */
export const keyRoutes =
  ({ keys, door }: { readonly keys: UserKeys; readonly door: Door }) =>
  (fastify: FastifyInstance): void => {
    const limited = { perMinute: perMinute.verify };
    routeSignedIn(fastify, door, endpoints.getKeyStatus, ({ caller }) => keys.status(caller.userId));
    routeSignedIn(fastify, door, endpoints.getKeys, ({ caller }) => keys.list(caller.userId));
    routeSignedIn(
      fastify,
      door,
      endpoints.setUpKeys,
      ({ caller, body, keep }) => keys.setUp(caller.userId, body.publicKey, keep),
      limited,
    );
    routeSignedIn(fastify, door, endpoints.publishKey, ({ caller, body, keep }) =>
      keys.publish(caller.userId, body.published, keep),
    );
    routeSignedIn(
      fastify,
      door,
      endpoints.deleteKeys,
      ({ caller, keep }) => keys.remove(caller.userId, keep),
      limited,
    );
  };
