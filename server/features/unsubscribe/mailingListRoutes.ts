import type { FastifyInstance } from "fastify";
import {
  leaveMailingList,
  listMailingLists,
  type MailingList,
} from "../../../core/unsubscribe/listEndpoints.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { type AuthGuard, routeSignedIn } from "../../platform/http/route.ts";
import { assertMask } from "../maskChanges/maskChanges.ts";
import type { LeaveList, Left } from "./leaveList.ts";
import { findLeavingMask } from "./leavingMask.ts";
import { subjectOf } from "./listMail.ts";
import { createMailingLists, type KnownList } from "./mailingLists.ts";
import type { ListTarget } from "./unsubscribeLinks.ts";

const iso = (time: number): string => new Date(time).toISOString();

/** Returns what is sent, so that its reader sees it first; null where nothing is, or its signature proves it. */
const toUnproven = (
  { way, isProven }: ListTarget,
  idOf: (what: string) => string,
): MailingList["unproven"] => {
  if (isProven === true || way.kind === "page") return null;
  const sent =
    way.kind === "mail"
      ? { to: way.to, subject: subjectOf(way), text: way.body }
      : { to: new URL(way.url).hostname, subject: "", text: "" };
  return { id: idOf(JSON.stringify(way)), ...sent };
};

const problemOf = (left: Left): UseCaseError | null => {
  switch (left.kind) {
    case "done":
    case "done-before":
      return null;
    case "running":
      return new UseCaseError("conflict", "You are being unsubscribed already.");
    case "unconfirmed":
      return new UseCaseError(
        "conflict",
        "You are not unsubscribed: nothing proves that the request comes from the list. Check what would be sent, and confirm it.",
      );
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
    const toAnswer = ({ id, name, address, target, seenAt, leftAt }: KnownList): MailingList => {
      const { way, page } = target;
      return {
        id,
        name,
        address,
        leaveBy: way.kind,
        page: way.kind === "mail" ? page : way.url,
        unproven: toUnproven(target, (what) => hash("unsubscribe-target", id, what)),
        seen: iso(seenAt),
        left: leftAt === null ? null : iso(leftAt),
      };
    };

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
      async ({ auth: { userId }, params: { id: maskId, list: id, confirmed } }) => {
        await assertMask(db, { userId, maskId });
        const find = async (): Promise<KnownList> => {
          const found = (await lists.read(db, { userId, maskId })).find((one) => one.id === id);
          if (!found) throw missing();
          return found;
        };
        const list = await find();
        const mask = await findLeavingMask(db, { userId, maskId });
        if (!mask) throw missing();
        // Each mail of the list may be answered once.
        const used = hash("unsubscribe-link", maskId, id, String(list.seenAt));
        // A later mail may ask for something else than what was seen.
        const isConfirmed = confirmed !== undefined && toAnswer(list).unproven?.id === confirmed;
        const problem = problemOf(await leave(mask, { list: id, target: list.target, isConfirmed }, used));
        if (problem) throw problem;
        return toAnswer(await find());
      },
      { perMinute: perMinute.signIn, answerStored: "afterwards" },
    );
  };
