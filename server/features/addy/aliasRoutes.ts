import type { FastifyInstance } from "fastify";
import type { FeatureContext } from "../../context/feature.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { routePreparedWrite, routeSignedIn, routeWrite } from "../../platform/http/route.ts";
import type { Write } from "../../platform/store/database.ts";
import { trashMask } from "../trash/userTrash.ts";
import * as endpoints from "./contract/aliasEndpoints.ts";
import * as aliases from "./userAliases.ts";

/** Some calls answer nothing of what they have changed. */
const withoutAnswer =
  (write: Write<unknown>): Write<void> =>
  async (tx) => {
    await write(tx);
  };

/** Registers the calls about masks, each limited to the token's owner. */
export const aliasRoutes =
  (context: FeatureContext) =>
  (fastify: FastifyInstance): void => {
    const { authGuard } = context;
    const limited = { perMinute: perMinute.masks };

    routePreparedWrite(
      fastify,
      authGuard,
      endpoints.postAlias,
      ({ auth, body }) => aliases.makeAlias(context, auth, body),
      { ...limited, addsData: true },
    );
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.getAliases,
      ({ auth, params }) => aliases.listAliases(context, auth, params),
      limited,
    );
    routeSignedIn(fastify, authGuard, endpoints.getAlias, ({ auth, params }) =>
      aliases.getAlias(context, auth, params.id),
    );
    routePreparedWrite(
      fastify,
      authGuard,
      endpoints.patchAlias,
      ({ auth, params, body }) => aliases.describeAlias(context, auth, params.id, body.description),
      limited,
    );
    routeWrite(
      fastify,
      authGuard,
      endpoints.deleteAlias,
      ({ tx, auth, params }) => trashMask(context, tx, auth, params.id),
      limited,
    );
    routeWrite(
      fastify,
      authGuard,
      endpoints.forgetAlias,
      async ({ tx, auth, params }) => {
        await aliases.forgetAliases(context, tx, auth, [params.id]);
      },
      limited,
    );
    routePreparedWrite(
      fastify,
      authGuard,
      endpoints.restoreAlias,
      ({ auth, params }) => aliases.restoreAlias(context, auth, params.id),
      limited,
    );
    routePreparedWrite(
      fastify,
      authGuard,
      endpoints.postActiveAlias,
      ({ auth, body }) => aliases.setAliasActive(context, auth, body.id, true),
      limited,
    );
    routePreparedWrite(
      fastify,
      authGuard,
      endpoints.deleteActiveAlias,
      async ({ auth, params }) =>
        withoutAnswer(await aliases.setAliasActive(context, auth, params.id, false)),
      limited,
    );
    routePreparedWrite(
      fastify,
      authGuard,
      endpoints.postPinnedAlias,
      ({ auth, body }) => aliases.setAliasPinned(context, auth, body.id, true),
      limited,
    );
    routePreparedWrite(
      fastify,
      authGuard,
      endpoints.deletePinnedAlias,
      async ({ auth, params }) =>
        withoutAnswer(await aliases.setAliasPinned(context, auth, params.id, false)),
      limited,
    );
    routePreparedWrite(
      fastify,
      authGuard,
      endpoints.postAliasRecipients,
      ({ auth, body: { alias_id: id, recipient_ids: recipients } }) =>
        aliases.setAliasRecipients(context, auth, id, recipients ?? []),
      limited,
    );

    routeSignedIn(
      fastify,
      authGuard,
      endpoints.getAliasesBulk,
      ({ auth, body }) => aliases.getAliases(context, auth, body.ids),
      limited,
    );
    for (const [endpoint, change, done] of [
      [endpoints.activateBulk, { kind: "switch", active: true }, "activated"],
      [endpoints.deactivateBulk, { kind: "switch", active: false }, "deactivated"],
      [endpoints.pinBulk, { kind: "pin", pinned: true }, "pinned"],
      [endpoints.unpinBulk, { kind: "pin", pinned: false }, "unpinned"],
      [endpoints.deleteBulk, { kind: "delete" }, "deleted"],
      [endpoints.restoreBulk, { kind: "restore" }, "restored"],
    ] as const)
      routeWrite(
        fastify,
        authGuard,
        endpoint,
        ({ tx, auth, body: { ids } }) => aliases.changeAliases(context, tx, auth, { ids, change, done }),
        limited,
      );
    routeWrite(
      fastify,
      authGuard,
      endpoints.forgetBulk,
      ({ tx, auth, body }) => aliases.forgetAliases(context, tx, auth, body.ids),
      limited,
    );
    routeWrite(
      fastify,
      authGuard,
      endpoints.recipientsBulk,
      ({ tx, auth, body: { ids, recipient_ids: recipientIds } }) =>
        aliases.setRecipientsOfAliases(context, tx, auth, { ids, recipientIds: recipientIds ?? [] }),
      limited,
    );
  };
