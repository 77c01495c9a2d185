import type { FastifyInstance } from "fastify";
import * as endpoints from "../../../core/contentAccess/contentAccessEndpoints.ts";
import { type AuthGuard, routeSignedIn, routeWrite } from "../../platform/http/route.ts";
import type { UserContentAccess } from "./userContentAccess.ts";

/** Registers the endpoints of content access and its features (SG3 to SG5). */
export const contentAccessRoutes =
  ({ access, authGuard }: { readonly access: UserContentAccess; readonly authGuard: AuthGuard }) =>
  (fastify: FastifyInstance): void => {
    routeSignedIn(fastify, authGuard, endpoints.getContentAccess, ({ auth }) =>
      access.getAccess(auth.userId),
    );
    routeWrite(fastify, authGuard, endpoints.putContentAccess, ({ tx, auth, body }) =>
      access.setAccess(tx, auth.userId, body),
    );
    routeSignedIn(fastify, authGuard, endpoints.getPreferences, ({ auth }) =>
      access.getPreferences(auth.userId),
    );
    routeWrite(fastify, authGuard, endpoints.putPreferences, ({ tx, auth, body }) =>
      access.setFeatures(tx, auth.userId, body.preferences.features),
    );
  };
