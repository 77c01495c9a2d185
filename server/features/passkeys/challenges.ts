import type { ServerContext } from "../../context/serverContext.ts";
import { sameHash } from "../../platform/ops/keyedHash.ts";
import type { Db } from "../../platform/store/database.ts";
import { takeOnce } from "../../platform/store/usedMarks.ts";
import { challengeLifetimeMs } from "./passkeyLimits.ts";

/**
 * The challenges that authenticators sign. A challenge carries its end and a mark of this installation, so nothing is kept of
 * those that nobody answers, whoever asks for how many; any process may take the answer.
 */
export interface Challenges {
  /** Creates a challenge; `userId` is null for a sign-in. */
  readonly create: (userId: string | null) => string;
  /** True if a challenge was made here for this user, or for a sign-in, and has not ended. */
  readonly isOpen: (challenge: string, userId: string | null) => boolean;
  /** Uses an open challenge up, in the transaction of what it allows; false when it was used before. */
  readonly consume: (db: Db, challenge: string) => Promise<boolean>;
}

const nonceBytes = 16;
const endBytes = 6;
const markBytes = 32;

/** The bytes of a challenge before its mark. */
interface Claim {
  readonly nonce: string;
  readonly end: number;
}

const readClaim = (challenge: string): (Claim & { readonly mark: string }) | null => {
  const bytes = Buffer.from(challenge, "base64url");
  // A challenge has one spelling, so that another one of the same bytes is not used a second time.
  if (bytes.length !== nonceBytes + endBytes + markBytes || bytes.toString("base64url") !== challenge)
    return null;
  return {
    nonce: bytes.toString("base64url", 0, nonceBytes),
    end: bytes.readUIntBE(nonceBytes, endBytes),
    mark: bytes.toString("base64url", nonceBytes + endBytes),
  };
};

export const createChallenges = ({
  hash,
  clock,
  random,
}: Pick<ServerContext, "hash" | "clock" | "random">): Challenges => {
  const markOf = ({ nonce, end }: Claim, userId: string | null): string =>
    hash("passkey-challenge", nonce, String(end), ...(userId === null ? [] : [userId]));
  return {
    create: (userId) => {
      const nonce = Buffer.from(random.bytes(nonceBytes));
      const end = Buffer.alloc(endBytes);
      end.writeUIntBE(clock.now() + challengeLifetimeMs, 0, endBytes);
      const mark = markOf({ nonce: nonce.toString("base64url"), end: end.readUIntBE(0, endBytes) }, userId);
      return Buffer.concat([nonce, end, Buffer.from(mark, "base64url")]).toString("base64url");
    },
    isOpen: (challenge, userId) => {
      const claim = readClaim(challenge);
      return claim !== null && sameHash(claim.mark, markOf(claim, userId)) && claim.end > clock.now();
    },
    consume: async (db, challenge) => {
      const claim = readClaim(challenge);
      if (!claim) return false;
      return takeOnce(db, { hash: hash("passkey-challenge", "used", challenge), endsAt: claim.end });
    },
  };
};
