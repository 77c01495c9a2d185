import { hourMs } from "../../../core/kernel/durations.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import { isFull, type KeptLimits, readKeptCounts } from "../../delivery/queue/keptBytes.ts";
import type { KeptSpace } from "../../delivery/queue/keptSpace.ts";
import { createRecentKeys } from "../../platform/rates/recentKeys.ts";
import type { Database } from "../../platform/store/database.ts";
import { maxMailBytes } from "../../smtp/smtpLimits.ts";
import type { SmtpReply } from "../../smtp/smtpReplies.ts";
import { tooMuchKept, tooMuchWaits } from "../decision/refusals.ts";
import type { MailRoute } from "../mailRoute.ts";

/** The bytes that an account may keep whatever its plan has: three mails of the largest size. */
export const leastKeptBytes = 3 * maxMailBytes;
/** The part of the free space that one account, and one network at all accounts, may fill. */
export const partOfSpace = 1 / 3;
/** The part of an account's room that one network may fill. */
export const partOfNetwork = 1 / 2;
/** The factor by which an account may have more when mail that waits for its servers is counted too. */
export const waitingFactor = 2;

/** A mail that arrives at a mask. */
export interface ArrivingMail {
  readonly route: Pick<MailRoute, "userId" | "maskId" | "storage" | "keptBytes">;
  /** The network that sends it; null where it is not limited. */
  readonly network: string | null;
  /** The sender of the envelope. */
  readonly sender: string;
  /** Bytes, as far as they are known; 0 before its content where its sender does not say. */
  readonly size: number;
}

/** Limits how many bytes of mail are kept for an account, and of a network. */
export interface KeptRoom {
  /** Returns the limits of mail that is kept in the app, held, or collected for a digest. */
  readonly limitsOf: (route: Pick<MailRoute, "storage">) => Promise<KeptLimits>;
  /**
   * Returns the reply to a recipient for whose mail there is no room: too much waits for their servers, or the same sender's
   * last mail could not be kept and still could not. Null while there may be room.
   */
  readonly refusalFor: (mail: ArrivingMail) => Promise<SmtpReply | null>;
  /** Remembers for an hour that a mail could not be kept. */
  readonly recordRefused: (mail: ArrivingMail) => void;
}

export interface KeptRoomDeps {
  readonly database: Pick<Database, "engine">;
  readonly space: KeptSpace;
  readonly clock: Pick<Clock, "now">;
}

const rememberedMs = hourMs;
/** The senders and masks that are remembered as refused. */
export const maxRemembered = 10_000;

/** Returns the limits of mail that waits for another attempt: it cannot be refused once it is taken. */
export const limitsOfWaiting = ({ ofArchive, ...limits }: KeptLimits): KeptLimits => ({
  ofAccount: limits.ofAccount * waitingFactor,
  ofNetworkInAccount: limits.ofNetworkInAccount * waitingFactor,
  ofNetwork: limits.ofNetwork * waitingFactor,
  ofArchive,
});

/** A mail that could not be kept. */
interface Refused {
  readonly at: number;
  readonly size: number;
}

const keyOf = ({ route, network, sender }: ArrivingMail): string =>
  `${route.maskId} ${network} ${sender.toLowerCase()}`;

/** Creates the limits; what is kept is counted in the store, and free space is asked for as it is. */
export const createKeptRoom = ({ database, space, clock }: KeptRoomDeps): KeptRoom => {
  const refused = createRecentKeys<Refused>(maxRemembered);

  const limitsOf: KeptRoom["limitsOf"] = async ({ storage }) => {
    const ofSpace = Math.floor((await space.free()) * partOfSpace);
    const ofAccount = Math.min(Math.max(storage, leastKeptBytes), ofSpace);
    return {
      ofAccount,
      ofNetworkInAccount: Math.floor(ofAccount * partOfNetwork),
      ofNetwork: ofSpace,
      ofArchive: storage,
    };
  };

  const findRefused = (mail: ArrivingMail): Refused | null => {
    const known = refused.find(keyOf(mail));
    return known && known.at > clock.now() - rememberedMs ? known : null;
  };

  return {
    limitsOf,
    refusalFor: async (mail) => {
      const { route, network, size } = mail;
      const known = findRefused(mail);
      if (route.keptBytes === 0 && !known) return null;
      const limits = await limitsOf(route);
      const ofWaiting = limitsOfWaiting(limits);
      // Less than one network may have is too much of nobody, but for what it has at other accounts.
      if (route.keptBytes + size < limits.ofNetworkInAccount && !known) return null;
      const counts = await readKeptCounts(database, { userId: route.userId, network });
      if (isFull(counts, ofWaiting, size)) return tooMuchWaits;
      if (!known) return null;
      if (isFull(counts, limits, size === 0 ? known.size : size)) return tooMuchKept;
      refused.take(keyOf(mail));
      return null;
    },
    recordRefused: (mail) => refused.set(keyOf(mail), { at: clock.now(), size: mail.size }),
  };
};
