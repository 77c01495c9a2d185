import type { FastifyInstance } from "fastify";
import { deleteLabel, listLabels, patchLabel, postLabel } from "../../../core/labels/labelEndpoints.ts";
import { pageOf } from "../../platform/answers/listPage.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { type AuthGuard, routeSignedIn, routeWrite } from "../../platform/http/route.ts";
import type { Db } from "../../platform/store/database.ts";
import { appendEvent } from "../../platform/store/events.ts";
import { type MaskAuthor, recordMaskChange } from "../maskChanges/maskChanges.ts";
import type { MaskDeps } from "../maskChanges/maskDeps.ts";
import { createLabel, editLabel, readLabels, removeLabel } from "./maskLabels.ts";

const limits = { perMinute: perMinute.masks };

/** Announces a change to the account, which has the colors of labels. */
const recordAccountChange = (db: Db, { userId }: MaskAuthor, now: number): Promise<void> =>
  appendEvent(db, { userId, resource: "account", resourceId: null, action: "updated" }, now);

/** Registers the endpoints of the labels of a user's masks. */
export const labelRoutes =
  ({ deps, authGuard }: { readonly deps: MaskDeps; readonly authGuard: AuthGuard }) =>
  (fastify: FastifyInstance): void => {
    const { database, clock } = deps;
    routeSignedIn(fastify, authGuard, listLabels, async ({ auth, params }) => {
      const all = await readLabels(database.db, auth.userId);
      const { page, isMore } = pageOf(all, params, { idOf: ({ name }) => name, what: "label" });
      return { labels: [...page], ...(isMore && { isMore }) };
    });
    routeWrite(
      fastify,
      authGuard,
      postLabel,
      async ({ tx, auth, body }) => {
        const label = await createLabel(tx, auth.userId, body);
        await recordAccountChange(tx, auth, clock.now());
        return label;
      },
      { ...limits, addsData: true },
    );
    routeWrite(
      fastify,
      authGuard,
      patchLabel,
      async ({ tx, auth, params, body }) => {
        const now = clock.now();
        const label = await editLabel(tx, auth.userId, { name: params.name, change: body, now });
        if (body.name !== undefined) await recordMaskChange(tx, auth, "updated", null, now);
        await recordAccountChange(tx, auth, now);
        return label;
      },
      limits,
    );
    routeWrite(
      fastify,
      authGuard,
      deleteLabel,
      async ({ tx, auth, params }) => {
        const now = clock.now();
        await removeLabel(tx, auth.userId, { name: params.name, now });
        await recordMaskChange(tx, auth, "updated", null, now);
        await recordAccountChange(tx, auth, now);
      },
      limits,
    );
  };
