import type { FastifyInstance } from "fastify";
import * as endpoints from "../../../core/domains/domainEndpoints.ts";
import type { FeatureContext } from "../../context/feature.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { routeSignedIn, routeWrite } from "../../platform/http/route.ts";
import { editDomain, removeDomain, type UserDomains } from "./userDomains.ts";

/** Registers the endpoints of domains, each limited to the signed-in user's own rows. */
export const domainRoutes =
  (context: FeatureContext, domains: UserDomains) =>
  (fastify: FastifyInstance): void => {
    const { authGuard } = context;
    routeSignedIn(fastify, authGuard, endpoints.listDomains, ({ auth }) => domains.list(auth.userId));
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.postDomain,
      ({ auth, body }) => domains.create(auth.userId, body),
      { perMinute: perMinute.signIn, addsData: true, answerStored: "afterwards" },
    );
    routeWrite(
      fastify,
      authGuard,
      endpoints.patchDomain,
      ({ tx, auth: { userId }, params: { id }, body }) => editDomain(context, tx, { userId, id }, body),
      { perMinute: perMinute.masks },
    );
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.checkDomain,
      ({ auth, params }) => domains.check(auth.userId, params.id),
      { perMinute: perMinute.signIn, answerStored: "afterwards" },
    );
    routeWrite(
      fastify,
      authGuard,
      endpoints.deleteDomain,
      ({ tx, auth: { userId }, params: { id } }) => removeDomain(context, tx, { userId, id }),
      { perMinute: perMinute.masks },
    );
  };
