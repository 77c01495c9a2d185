import type { DomainName } from "../../../core/mail/domainName.ts";
import { isUsualTag, type TaggedAddress } from "../../../core/mail/taggedAddress.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Database } from "../../platform/store/database.ts";
import type { MailRoute } from "../../relay/mailRoute.ts";
import { mayUseAddress } from "./addressRight.ts";
import { expireMask } from "./expireMask.ts";
import { findMailRoute } from "./findMailRoute.ts";

/** Finds the mask of an address; null where no mask has it, or its owner may not use it. */
export type FindMask = (address: string) => Promise<MailRoute | null>;

export interface FindMaskDeps {
  readonly database: Database;
  readonly clock: Pick<Clock, "now">;
  readonly maskDomain: DomainName;
}

/** Creates what finds the masks of mail; one whose date has come expires first. */
export const createFindMask =
  ({ database, clock, maskDomain }: FindMaskDeps): FindMask =>
  async (address) => {
    const route = await findMailRoute(database.engine, address);
    if (route && !(await mayUseAddress(database.db, { userId: route.userId, email: address }, maskDomain)))
      return null;
    const now = clock.now();
    if (!route?.active || route.expiresAt === null || route.expiresAt > now) return route;
    await database.transaction((db) => expireMask(db, route, "its date has come", now));
    return findMailRoute(database.engine, address);
  };

/**
 * Finds the mask whose name stands before a tag. It takes tags where its owner wants that and this one is as long as others;
 * a mask that has the whole address goes first.
 */
export const findMaskBeforeTag = async (
  findMask: FindMask,
  tagged: TaggedAddress,
): Promise<MailRoute | null> => {
  const route = await findMask(tagged.base);
  return route && { ...route, takesTags: route.takesTags && isUsualTag(tagged) };
};
