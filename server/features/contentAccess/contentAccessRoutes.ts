import type { FastifyInstance } from "fastify";
import * as endpoints from "../../../core/contentAccess/contentAccessEndpoints.ts";
import { type AuthGuard, routeSignedIn } from "../../platform/http/route.ts";
import type { UserContentAccess } from "./userContentAccess.ts";

/** Registers the endpoints of content access and its features (SG3 to SG5). */
export const contentAccessRoutes =
  ({ access, authGuard }: { readonly access: UserContentAccess; readonly authGuard: AuthGuard }) =>
  (fastify: FastifyInstance): void => {
    routeSignedIn(fastify, authGuard, endpoints.getContentAccess, ({ auth }) =>
      access.getAccess(auth.userId),
    );
    routeSignedIn(fastify, authGuard, endpoints.putContentAccess, ({ auth, body, recordAnswer }) =>
      access.setAccess(auth.userId, body, recordAnswer),
    );
    routeSignedIn(fastify, authGuard, endpoints.getPreferences, ({ auth }) =>
      access.getPreferences(auth.userId),
    );
    routeSignedIn(fastify, authGuard, endpoints.putPreferences, ({ auth, body, recordAnswer }) =>
      access.setFeatures(auth.userId, body.preferences.features, recordAnswer),
    );
  };
