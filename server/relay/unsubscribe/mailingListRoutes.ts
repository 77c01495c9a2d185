import type { FastifyInstance } from "fastify";
import {
  leaveMailingList,
  listMailingLists,
  type MailingList,
} from "../../../core/unsubscribe/listEndpoints.ts";
import { assertMask } from "../../features/maskChanges.ts";
import type { ServerContext } from "../../features/serverContext.ts";
import { createMailingLists, type KnownList } from "../../features/unsubscribe/mailingLists.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import { perMinute } from "../../platform/http/limits.ts";
import { type AuthGuard, routeSignedIn } from "../../platform/http/route.ts";
import type { LeaveList, Left } from "./leaveList.ts";
import { findLeavingMask } from "./leavingMask.ts";

const iso = (time: number): string => new Date(time).toISOString();

const toAnswer = ({ id, name, address, target: { way, page }, seenAt, leftAt }: KnownList): MailingList => ({
  id,
  name,
  address,
  leaveBy: way.kind,
  page: way.kind === "mail" ? page : way.url,
  seen: iso(seenAt),
  left: leftAt === null ? null : iso(leftAt),
});

const problemOf = (left: Left): UseCaseError | null => {
  switch (left.kind) {
    case "done":
    case "done-before":
      return null;
    case "running":
      return new UseCaseError("conflict", "You are being unsubscribed already.");
    case "too-many":
      return new UseCaseError("conflict", "You have unsubscribed too often today. Try again tomorrow.");
    case "failed":
      return new UseCaseError("conflict", `You are not unsubscribed: ${left.reason}.`);
  }
};

const missing = (): UseCaseError => new UseCaseError("missing", "This mailing list is not known any more.");

/** Registers the endpoints of a mask's mailing lists, each limited to the signed-in user's own masks. */
export const mailingListRoutes =
  (
    { database: { db }, hash, seal }: ServerContext,
    { authGuard, leave }: { readonly authGuard: AuthGuard; readonly leave: LeaveList },
  ) =>
  (fastify: FastifyInstance): void => {
    const lists = createMailingLists(hash, seal);

    routeSignedIn(
      fastify,
      authGuard,
      listMailingLists,
      async ({ auth: { userId }, params: { id: maskId } }) => {
        await assertMask(db, { userId, maskId });
        return { lists: (await lists.read(db, { userId, maskId })).map(toAnswer) };
      },
      { perMinute: perMinute.notifications },
    );

    routeSignedIn(
      fastify,
      authGuard,
      leaveMailingList,
      async ({ auth: { userId }, params: { id: maskId, list: id } }) => {
        await assertMask(db, { userId, maskId });
        const find = async (): Promise<KnownList> => {
          const found = (await lists.read(db, { userId, maskId })).find((one) => one.id === id);
          if (!found) throw missing();
          return found;
        };
        const [list, mask] = [await find(), await findLeavingMask(db, { userId, maskId })];
        if (!mask) throw missing();
        // Each mail of the list may be answered once.
        const used = hash("unsubscribe-link", maskId, id, String(list.seenAt));
        const problem = problemOf(await leave(mask, { list: id, target: list.target }, used));
        if (problem) throw problem;
        return toAnswer(await find());
      },
      { perMinute: perMinute.signIn },
    );
  };
