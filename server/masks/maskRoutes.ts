import type { FastifyInstance } from "fastify";
import type { Mask, MaskId } from "../../core/masks/mask.ts";
import {
  deleteMask,
  getMask,
  getMaskStatistics,
  listMasks,
  postMask,
  putMask,
} from "../../core/masks/maskEndpoints.ts";
import { perMinute } from "../http/limits.ts";
import { type Door, routeSignedIn } from "../http/route.ts";
import { isId } from "../store/id.ts";
import { type FullMask, maskOf, masksOf } from "../store/masks.ts";
import { categoriesOf } from "./categoriesOf.ts";
import { makeCreateMask } from "./createMask.ts";
import { makeDeleteMask } from "./deleteMask.ts";
import { makeEditMask } from "./editMask.ts";
import { maskAnswer, statisticsAnswer } from "./maskAnswer.ts";
import { type MaskParts, noSuchMask } from "./maskParts.ts";
import { etagOf, versionIn } from "./rulesVersion.ts";

/** The version of a mask's rules, for the answer's ETag (D43). */
const etag = ({ settings }: Mask): string | undefined =>
  settings?.rulesVersion === undefined ? undefined : etagOf(settings.rulesVersion);

/** The calls of masks (MA7). Every one reaches the store through the caller's user id. */
export const maskRoutes = (parts: MaskParts & { readonly door: Door }) => {
  const { door, database } = parts;
  const [create, edit, remove] = [makeCreateMask(parts), makeEditMask(parts), makeDeleteMask(parts)];
  const limited = { perMinute: perMinute.masks };

  const find = async (userId: string, id: MaskId): Promise<FullMask> => {
    const row = isId(id) ? await maskOf(database.db, userId, id) : undefined;
    if (!row) throw noSuchMask();
    return row;
  };

  return (fastify: FastifyInstance): void => {
    routeSignedIn(fastify, door, listMasks, async ({ caller }) => ({
      masks: (await masksOf(database.db, caller.userId)).map(maskAnswer),
    }));
    routeSignedIn(
      fastify,
      door,
      getMask,
      async ({ caller, params }) => maskAnswer(await find(caller.userId, params.id)),
      { etag },
    );
    routeSignedIn(fastify, door, getMaskStatistics, async ({ caller, params }) => {
      const row = await find(caller.userId, params.id);
      return { ...statisticsAnswer(row), ...(await categoriesOf(database.db, row)) };
    });
    routeSignedIn(fastify, door, postMask, ({ caller, body, keep }) => create(caller.userId, body, keep), {
      ...limited,
      status: 201,
    });
    routeSignedIn(
      fastify,
      door,
      putMask,
      ({ caller, params, body, request, keep }) =>
        edit(
          caller.userId,
          { id: params.id, edit: body, from: versionIn(request.headers["if-match"]) },
          keep,
        ),
      { ...limited, etag },
    );
    routeSignedIn(
      fastify,
      door,
      deleteMask,
      ({ caller, params, keep }) => remove(caller.userId, params.id, keep),
      limited,
    );
  };
};
