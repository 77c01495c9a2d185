import type { FastifyInstance } from "fastify";
import type { MaskId } from "../../core/masks/mask.ts";
import {
  deleteMask,
  getMask,
  getMaskStatistics,
  listMasks,
  postMask,
  putMask,
} from "../../core/masks/maskEndpoints.ts";
import type { Authenticate } from "../http/caller.ts";
import { perMinute } from "../http/limits.ts";
import { routeSignedIn } from "../http/route.ts";
import { type FullMask, maskOf, masksOf } from "../store/masks.ts";
import { makeCreateMask } from "./createMask.ts";
import { makeDeleteMask } from "./deleteMask.ts";
import { makeEditMask } from "./editMask.ts";
import { maskAnswer, statisticsAnswer } from "./maskAnswer.ts";
import { isId, type MaskParts, noSuchMask } from "./maskParts.ts";

/** The calls of masks (MA7). Every one reaches the store through the caller's user id. */
export const maskRoutes = (parts: MaskParts & { readonly authenticate: Authenticate }) => {
  const { authenticate, database } = parts;
  const [create, edit, remove] = [makeCreateMask(parts), makeEditMask(parts), makeDeleteMask(parts)];
  const limited = { perMinute: perMinute.masks };

  const find = async (userId: string, id: MaskId): Promise<FullMask> => {
    const row = isId(id) ? await maskOf(database.db, userId, id) : undefined;
    if (!row) throw noSuchMask();
    return row;
  };

  return (fastify: FastifyInstance): void => {
    routeSignedIn(fastify, authenticate, listMasks, async ({ caller }) => ({
      masks: (await masksOf(database.db, caller.userId)).map(maskAnswer),
    }));
    routeSignedIn(fastify, authenticate, getMask, async ({ caller, params }) =>
      maskAnswer(await find(caller.userId, params.id)),
    );
    routeSignedIn(fastify, authenticate, getMaskStatistics, async ({ caller, params }) =>
      statisticsAnswer(await find(caller.userId, params.id)),
    );
    routeSignedIn(fastify, authenticate, postMask, ({ caller, body }) => create(caller.userId, body), {
      ...limited,
      status: 201,
    });
    routeSignedIn(
      fastify,
      authenticate,
      putMask,
      ({ caller, params, body }) => edit(caller.userId, params.id, body),
      limited,
    );
    routeSignedIn(
      fastify,
      authenticate,
      deleteMask,
      ({ caller, params }) => remove(caller.userId, params.id),
      limited,
    );
  };
};
