import type { LogDirection, LogResult } from "../../../core/mailLog/logEntry.ts";
import { LogDetail } from "../../../core/mailLog/logEntry.ts";
import type { Mask } from "../../../core/masks/mask.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import type { AuthContext } from "../../platform/store/authContext.ts";
import type { Db } from "../../platform/store/database.ts";
import type { MaskOwner, ReverseAddresses } from "../correspondents/reverseAddresses.ts";
import { mayKnowDestinations } from "../destinations/defaultDestination.ts";
import { numbersOf } from "../publicNumbers/publicNumbers.ts";
import { findLatestEntries } from "./aliasQueries.ts";
import { reverseAliasOf } from "./contract/contact.ts";
import {
  actionOf,
  type LatestActivity,
  type SimpleLoginAlias,
  toAlias,
} from "./contract/simpleLoginAlias.ts";
import { secondsOf } from "./contract/simpleLoginValues.ts";
import { type FindMailbox, readMailboxes } from "./numberedThings.ts";

/** A logged mail, as far as its owner lets this server read it. */
interface LoggedMail {
  readonly direction: LogDirection;
  readonly result: LogResult;
  readonly detail: string | null;
  readonly sealed: number;
}

/** Returns the address that a logged mail came from or went to; empty where that is encrypted or not kept. */
export const otherSideOf = ({ direction, detail, sealed }: LoggedMail): string => {
  const read: unknown = detail === null || sealed === 1 ? null : JSON.parse(detail);
  if (!LogDetail.is(read)) return "";
  return direction === "sent" ? (read.to?.[0] ?? "") : read.from;
};

/** The addresses through which masks write to others. */
export interface ReverseAliases {
  /** Returns the address at a mask that leads to somebody; empty without one. */
  readonly find: (maskId: string, address: string) => string;
}

/** Reads the reverse addresses of some masks' correspondents. */
export const readReverseAliases = async (
  db: Db,
  {
    config: { maskDomain },
    reverseAddresses,
  }: Pick<ServerContext, "config"> & { readonly reverseAddresses: ReverseAddresses },
  pairs: readonly (MaskOwner & { readonly address: string })[],
): Promise<ReverseAliases> => {
  const idOf = (maskId: string, address: string): string =>
    reverseAddresses.idOf({ userId: "", maskId }, { name: "", address });
  const ids = [...new Set(pairs.map(({ maskId, address }) => idOf(maskId, address)))];
  const rows =
    ids.length === 0
      ? []
      : await db
          .selectFrom("reverse_addresses")
          .select(["user_id", "mask_id", "correspondent_hash", "sealed"])
          .where("correspondent_hash", "in", ids)
          .where("user_id", "in", [...new Set(pairs.map(({ userId }) => userId))])
          .execute();
  const found = new Map(
    rows.flatMap((row) => {
      const mask = { userId: row.user_id, maskId: row.mask_id };
      const reverse = reverseAddresses.read(mask, row.sealed);
      return reverse ? [[row.correspondent_hash, `${reverse.localPart}@${maskDomain}`] as const] : [];
    }),
  );
  return { find: (maskId, address) => found.get(idOf(maskId, address)) ?? "" };
};

/** The dependencies of reading masks as SimpleLogin has them. */
export interface ReadAliasDeps extends Pick<ServerContext, "config"> {
  readonly reverseAddresses: ReverseAddresses;
}

/** The caller of a request: an API token sees what its scopes name. */
type Caller = Pick<AuthContext, "userId" | "token">;

const readActivities = async (
  db: Db,
  deps: ReadAliasDeps,
  userId: string,
  maskIds: readonly string[],
): Promise<ReadonlyMap<string, LatestActivity>> => {
  const entries = (await findLatestEntries(db, userId, maskIds)).flatMap((entry) => {
    const address = otherSideOf(entry);
    return address === "" ? [] : [{ ...entry, maskId: entry.mask_id, userId, address }];
  });
  const reverse = await readReverseAliases(db, deps, entries);
  return new Map(
    entries.map(({ maskId, at, direction, result, address }) => {
      const reverseAddress = reverse.find(maskId, address);
      return [
        maskId,
        {
          timestamp: secondsOf(Number(at)),
          action: actionOf(direction, result),
          contact: {
            email: address,
            name: null,
            reverse_alias: reverseAddress && reverseAliasOf({ name: "", address }, reverseAddress),
          },
        },
      ];
    }),
  );
};

/**
 * Reads the user's masks as SimpleLogin has them. Who wrote to a mask is told to tokens alone that may read the log, and where
 * its mail goes to those alone that may know that.
 */
export const readAliases = async (
  db: Db,
  deps: ReadAliasDeps,
  { userId, token }: Caller,
  masks: readonly Mask[],
): Promise<readonly SimpleLoginAlias[]> => {
  if (masks.length === 0) return [];
  const ids = masks.map(({ id }) => id);
  const numberOf = await numbersOf(db, { userId, kind: "mask" }, ids);
  const findMailbox = await readMailboxes(db, userId);
  const mayKnow = mayKnowDestinations({ token });
  const mailboxOf: FindMailbox = (address) => ({ ...findMailbox(address), ...(!mayKnow && { email: "" }) });
  const mayReadLog = token?.scopes.includes("log:read") === true;
  const activities = mayReadLog ? await readActivities(db, deps, userId, ids) : new Map();
  return masks.map((mask) => {
    const [, ...further] = mask.destinations ?? [];
    return toAlias({
      mask,
      id: numberOf(mask.id),
      mailboxes: [mailboxOf(mask.forwardTo), ...further.map(mailboxOf)],
      latestActivity: activities.get(mask.id) ?? null,
    });
  });
};

/** Reads one mask as SimpleLogin has it. */
export const readAlias = async (
  db: Db,
  deps: ReadAliasDeps,
  caller: Caller,
  mask: Mask,
): Promise<SimpleLoginAlias> => {
  const [alias] = await readAliases(db, deps, caller, [mask]);
  if (!alias) throw new Error("the mask cannot be read");
  return alias;
};
