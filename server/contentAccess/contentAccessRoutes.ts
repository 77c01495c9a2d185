import type { FastifyInstance } from "fastify";
import * as endpoints from "../../core/contentAccess/contentAccessEndpoints.ts";
import { type Door, routeSignedIn } from "../http/route.ts";
import type { UserContentAccess } from "./userContentAccess.ts";

/** Consent to look at content, and what for (SG3 to SG5). */
export const contentAccessRoutes =
  ({ access, door }: { readonly access: UserContentAccess; readonly door: Door }) =>
  (fastify: FastifyInstance): void => {
    routeSignedIn(fastify, door, endpoints.getContentAccess, ({ caller }) => access.read(caller.userId));
    routeSignedIn(fastify, door, endpoints.putContentAccess, ({ caller, body, keep }) =>
      access.set(caller.userId, body, keep),
    );
    routeSignedIn(fastify, door, endpoints.getPreferences, ({ caller }) => access.preferences(caller.userId));
    routeSignedIn(fastify, door, endpoints.putPreferences, ({ caller, body, keep }) =>
      access.prefer(caller.userId, body.preferences.features, keep),
    );
  };
