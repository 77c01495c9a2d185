import type { FastifyInstance } from "fastify";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { type AuthGuard, routeSignedIn } from "../../platform/http/route.ts";
import * as endpoints from "./contract/aliasEndpoints.ts";
import type { UserAliases } from "./userAliases.ts";

/** Registers the calls about masks, each limited to the token's owner. */
export const aliasRoutes =
  ({ aliases, authGuard }: { readonly aliases: UserAliases; readonly authGuard: AuthGuard }) =>
  (fastify: FastifyInstance): void => {
    const limited = { perMinute: perMinute.masks };

    routeSignedIn(
      fastify,
      authGuard,
      endpoints.postAlias,
      ({ auth, body, recordAnswer }) => aliases.make(auth, body, recordAnswer),
      { ...limited, addsData: true },
    );
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.getAliases,
      ({ auth, params }) => aliases.list(auth, params),
      limited,
    );
    routeSignedIn(fastify, authGuard, endpoints.getAlias, ({ auth, params }) => aliases.get(auth, params.id));
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.patchAlias,
      ({ auth, params, body, recordAnswer }) =>
        aliases.describe(auth, params.id, body.description, recordAnswer),
      limited,
    );
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.deleteAlias,
      ({ auth, params, recordAnswer }) => aliases.remove(auth, params.id, recordAnswer),
      limited,
    );
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.forgetAlias,
      ({ auth, params }) => aliases.forget(auth, params.id),
      limited,
    );
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.restoreAlias,
      ({ auth, params, recordAnswer }) => aliases.restore(auth, params.id, recordAnswer),
      limited,
    );
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.postActiveAlias,
      ({ auth, body, recordAnswer }) => aliases.setActive(auth, body.id, true, recordAnswer),
      limited,
    );
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.deleteActiveAlias,
      async ({ auth, params, recordAnswer }) => {
        await aliases.setActive(auth, params.id, false, async (tx, alias) => {
          await recordAnswer(tx);
          return alias;
        });
      },
      limited,
    );
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.postPinnedAlias,
      ({ auth, body, recordAnswer }) => aliases.setPinned(auth, body.id, true, recordAnswer),
      limited,
    );
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.deletePinnedAlias,
      async ({ auth, params, recordAnswer }) => {
        await aliases.setPinned(auth, params.id, false, async (tx, alias) => {
          await recordAnswer(tx);
          return alias;
        });
      },
      limited,
    );
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.postAliasRecipients,
      ({ auth, body: { alias_id: id, recipient_ids: recipients }, recordAnswer }) =>
        aliases.setRecipients(auth, id, recipients ?? [], recordAnswer),
      limited,
    );

    routeSignedIn(
      fastify,
      authGuard,
      endpoints.getAliasesBulk,
      ({ auth, body }) => aliases.getAll(auth, body.ids),
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
      routeSignedIn(
        fastify,
        authGuard,
        endpoint,
        ({ auth, body }) => aliases.changeAll(auth, body.ids, change, done),
        limited,
      );
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.forgetBulk,
      ({ auth, body }) => aliases.forgetAll(auth, body.ids),
      limited,
    );
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.recipientsBulk,
      ({ auth, body }) => aliases.setRecipientsOfAll(auth, body.ids, body.recipient_ids ?? []),
      limited,
    );
  };
