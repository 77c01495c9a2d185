import type { FastifyInstance } from "fastify";
import { deleteLabel, listLabels, patchLabel, postLabel } from "../../../core/labels/labelEndpoints.ts";
import { pageOf } from "../../platform/answers/listPage.ts";
import { perMinute } from "../../platform/http/limits.ts";
import { type AuthGuard, routeSignedIn } from "../../platform/http/route.ts";
import type { Db } from "../../platform/store/database.ts";
import { appendEvent } from "../../platform/store/events.ts";
import { type MaskAuthor, recordMaskChange } from "../maskChanges/maskChanges.ts";
import type { MaskDeps } from "../maskChanges/maskDeps.ts";
import { createLabel, editLabel, readLabels, removeLabel } from "./maskLabels.ts";

const limits = { perMinute: perMinute.masks };

/** Registers the endpoints of the labels of a user's masks. */
export const labelRoutes =
  ({ deps, authGuard }: { readonly deps: MaskDeps; readonly authGuard: AuthGuard }) =>
  (fastify: FastifyInstance): void => {
    const { database, clock, feed } = deps;
    /** Runs a change in a transaction and announces it: masks show the names, the account has the colors. */
    const change = async <A>(
      author: MaskAuthor,
      changesMasks: boolean,
      work: (db: Db, now: number) => Promise<A>,
    ): Promise<A> => {
      const now = clock.now();
      const answer = await database.transaction(async (db) => {
        const result = await work(db, now);
        if (changesMasks) await recordMaskChange(db, author, "updated", null, now);
        const event = { userId: author.userId, resource: "account", resourceId: null, action: "updated" };
        await appendEvent(db, event, now);
        return result;
      });
      feed.wake();
      return answer;
    };
    routeSignedIn(fastify, authGuard, listLabels, async ({ auth, params }) => {
      const all = await readLabels(database.db, auth.userId);
      const { page, isMore } = pageOf(all, params, { idOf: ({ name }) => name, what: "label" });
      return { labels: [...page], ...(isMore && { isMore }) };
    });
    routeSignedIn(
      fastify,
      authGuard,
      postLabel,
      ({ auth, body, recordAnswer }) =>
        change(auth, false, async (db) => recordAnswer(db, await createLabel(db, auth.userId, body))),
      { ...limits, addsData: true },
    );
    routeSignedIn(
      fastify,
      authGuard,
      patchLabel,
      ({ auth, params, body, recordAnswer }) =>
        change(auth, body.name !== undefined, async (db, now) =>
          recordAnswer(db, await editLabel(db, auth.userId, { name: params.name, change: body, now })),
        ),
      limits,
    );
    routeSignedIn(
      fastify,
      authGuard,
      deleteLabel,
      ({ auth, params, recordAnswer }) =>
        change(auth, true, async (db, now) => {
          await removeLabel(db, auth.userId, { name: params.name, now });
          return recordAnswer(db, undefined);
        }),
      limits,
    );
  };
