import type { FastifyInstance } from "fastify";
import type { Mask } from "../../../core/masks/mask.ts";
import * as endpoints from "../../../core/masks/maskEndpoints.ts";
import type { FeatureContext } from "../../context/feature.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { routePreparedWrite, routeSignedIn, routeStored } from "../../platform/http/route.ts";
import { parseIfMatch, toEtag } from "../rules/ruleVersions.ts";
import { createMask } from "./createMask.ts";
import { editMask } from "./editMask.ts";
import type { MaskLists } from "./list/maskLists.ts";
import { getMask, toMask } from "./maskQueries.ts";

/** Returns the version of a mask's rules as an ETag (D43). */
const etag = ({ settings }: Mask): string | undefined =>
  settings?.rulesVersion === undefined ? undefined : toEtag(settings.rulesVersion);

/** Registers the endpoints of masks (MA7), each limited to the signed-in user's own rows. */
export const maskRoutes =
  (context: FeatureContext, listMasks: MaskLists["list"]) =>
  (fastify: FastifyInstance): void => {
    const { authGuard, database, senderLists } = context;
    const limited = { perMinute: perMinute.masks };
    routeStored(fastify, authGuard, endpoints.listMasks, ({ auth, params }) =>
      listMasks(auth.userId, params),
    );
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.getMask,
      async ({ auth, params }) => toMask(await getMask(database.db, auth.userId, params.id), senderLists),
      { etag },
    );
    routePreparedWrite(
      fastify,
      authGuard,
      endpoints.postMask,
      ({ auth, body }) => createMask(context, auth, body),
      { ...limited, addsData: true },
    );
    routePreparedWrite(
      fastify,
      authGuard,
      endpoints.putMask,
      async ({ auth, params, body, request }) => {
        const baseVersion = parseIfMatch(request.headers["if-match"]);
        return editMask(context, auth, { id: params.id, edit: body, baseVersion });
      },
      { ...limited, etag },
    );
  };
