import type { FastifyInstance } from "fastify";
import {
  checkDomain,
  deleteDomain,
  listDomains,
  patchDomain,
  postDomain,
} from "../../../core/domains/domainEndpoints.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { type AuthGuard, routeSignedIn } from "../../platform/http/route.ts";
import type { UserDomains } from "./userDomains.ts";

/** Registers the endpoints of domains, each limited to the signed-in user's own rows. */
export const domainRoutes =
  ({ domains, authGuard }: { readonly domains: UserDomains; readonly authGuard: AuthGuard }) =>
  (fastify: FastifyInstance): void => {
    routeSignedIn(fastify, authGuard, listDomains, ({ auth }) => domains.list(auth.userId));
    routeSignedIn(fastify, authGuard, postDomain, ({ auth, body }) => domains.create(auth.userId, body), {
      perMinute: perMinute.signIn,
      addsData: true,
    });
    routeSignedIn(
      fastify,
      authGuard,
      patchDomain,
      ({ auth, params, body, recordAnswer }) => domains.edit(auth.userId, params.id, body, recordAnswer),
      { perMinute: perMinute.masks },
    );
    routeSignedIn(
      fastify,
      authGuard,
      checkDomain,
      ({ auth, params }) => domains.check(auth.userId, params.id),
      { perMinute: perMinute.signIn },
    );
    routeSignedIn(
      fastify,
      authGuard,
      deleteDomain,
      ({ auth, params, recordAnswer }) => domains.remove(auth.userId, params.id, recordAnswer),
      { perMinute: perMinute.masks },
    );
  };
