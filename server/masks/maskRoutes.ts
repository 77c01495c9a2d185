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
import type { MaskStatistics } from "../../core/masks/maskStatistics.ts";
import type { RecordAnswer } from "../http/idempotency.ts";
import { perMinute } from "../http/limits.ts";
import { type AuthGuard, routeSignedIn } from "../http/route.ts";
import type { Db } from "../store/database.ts";
import { isId } from "../store/id.ts";
import { adjustMaskCount } from "../store/users.ts";
import { createCreateMask } from "./createMask.ts";
import { createEditMask } from "./editMask.ts";
import { type MaskAuthor, type MaskDeps, maskNotFound, recordMaskChange } from "./maskDeps.ts";
import {
  deleteMaskRow,
  type FullMask,
  findMask,
  findMasks,
  toMask,
  toMaskStatistics,
} from "./maskQueries.ts";
import { parseIfMatch, toEtag } from "./ruleVersions.ts";

/** Deletes one of the user's masks and frees its place in the plan; its addresses are never assigned again. */
const createDeleteMask =
  ({ database, clock, feed }: MaskDeps) =>
  async (author: MaskAuthor, id: MaskId, keep: RecordAnswer<void>): Promise<void> => {
    const { userId } = author;
    if (!isId(id)) throw maskNotFound();
    await database.transaction(async (db) => {
      if (!(await deleteMaskRow(db, userId, id))) throw maskNotFound();
      await adjustMaskCount(db, userId, -1);
      await recordMaskChange(db, author, "deleted", id, clock.now());
      await keep(db);
    });
    feed.wake();
  };

/** Returns the version of a mask's rules as an ETag (D43). */
const etag = ({ settings }: Mask): string | undefined =>
  settings?.rulesVersion === undefined ? undefined : toEtag(settings.rulesVersion);

/** The mask routes' dependencies; insights provide the categories, because insights depend on masks. */
interface MaskRouteDeps extends MaskDeps {
  readonly authGuard: AuthGuard;
  readonly readCategories: (
    db: Db,
    mask: FullMask,
  ) => Promise<Pick<MaskStatistics, "aiCategories" | "lastCategory">>;
}

/** Registers the endpoints of masks (MA7), each limited to the signed-in user's own rows. */
export const maskRoutes = (deps: MaskRouteDeps) => {
  const { authGuard, database, readCategories } = deps;
  const [create, edit, remove] = [createCreateMask(deps), createEditMask(deps), createDeleteMask(deps)];
  const limited = { perMinute: perMinute.masks };

  const find = async (userId: string, id: MaskId): Promise<FullMask> => {
    const row = isId(id) ? await findMask(database.db, userId, id) : undefined;
    if (!row) throw maskNotFound();
    return row;
  };

  return (fastify: FastifyInstance): void => {
    routeSignedIn(fastify, authGuard, listMasks, async ({ auth }) => ({
      masks: (await findMasks(database.db, auth.userId)).map(toMask),
    }));
    routeSignedIn(
      fastify,
      authGuard,
      getMask,
      async ({ auth, params }) => toMask(await find(auth.userId, params.id)),
      { etag },
    );
    routeSignedIn(fastify, authGuard, getMaskStatistics, async ({ auth, params }) => {
      const row = await find(auth.userId, params.id);
      return { ...toMaskStatistics(row), ...(await readCategories(database.db, row)) };
    });
    routeSignedIn(
      fastify,
      authGuard,
      postMask,
      ({ auth, body, recordAnswer }) => create(auth, body, recordAnswer),
      {
        ...limited,
        status: 201,
      },
    );
    routeSignedIn(
      fastify,
      authGuard,
      putMask,
      ({ auth, params, body, request, recordAnswer }) =>
        edit(
          auth,
          { id: params.id, edit: body, baseVersion: parseIfMatch(request.headers["if-match"]) },
          recordAnswer,
        ),
      { ...limited, etag },
    );
    routeSignedIn(
      fastify,
      authGuard,
      deleteMask,
      ({ auth, params, recordAnswer }) => remove(auth, params.id, recordAnswer),
      limited,
    );
  };
};
