import type { FastifyInstance } from "fastify";
import type { Mask } from "../../../core/masks/mask.ts";
import { getMask, listMasks, postMask, putMask } from "../../../core/masks/maskEndpoints.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { type AuthGuard, routeSignedIn, routeStored } from "../../platform/http/route.ts";
import { parseIfMatch, toEtag } from "../rules/ruleVersions.ts";
import type { UserMasks } from "./userMasks.ts";

/** Returns the version of a mask's rules as an ETag (D43). */
const etag = ({ settings }: Mask): string | undefined =>
  settings?.rulesVersion === undefined ? undefined : toEtag(settings.rulesVersion);

/** Registers the endpoints of masks (MA7), each limited to the signed-in user's own rows. */
export const maskRoutes =
  ({ masks, authGuard }: { readonly masks: UserMasks; readonly authGuard: AuthGuard }) =>
  (fastify: FastifyInstance): void => {
    const limited = { perMinute: perMinute.masks };
    routeStored(fastify, authGuard, listMasks, ({ auth, params }) => masks.list(auth.userId, params));
    routeSignedIn(fastify, authGuard, getMask, ({ auth, params }) => masks.get(auth.userId, params.id), {
      etag,
    });
    routeSignedIn(
      fastify,
      authGuard,
      postMask,
      ({ auth, body, recordAnswer }) => masks.create(auth, body, recordAnswer),
      { ...limited, addsData: true },
    );
    routeSignedIn(
      fastify,
      authGuard,
      putMask,
      ({ auth, params, body, request, recordAnswer }) => {
        const baseVersion = parseIfMatch(request.headers["if-match"]);
        return masks.edit(auth, { id: params.id, edit: body, baseVersion }, recordAnswer);
      },
      { ...limited, etag },
    );
  };
