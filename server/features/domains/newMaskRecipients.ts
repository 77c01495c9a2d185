import type { DomainName } from "../../../core/mail/domainName.ts";
import { mailboxKey } from "../../../core/mail/emailAddress.ts";
import { isPostmaster } from "../../delivery/serviceAddresses.ts";
import { tooManyNewMasks } from "../../relay/decision/refusals.ts";
import type { MailRoute } from "../../relay/mailRoute.ts";
import type { FoundRecipient, OpenTransaction, RecipientKind } from "../../relay/receive/recipientKind.ts";
import type { FindMask } from "../masks/findMask.ts";
import type { FoundMask } from "../masks/maskRecipients.ts";
import type { MasksByMail } from "./masksByMail.ts";

/** An address at a user's domain that no mask has yet. */
export interface FoundNewMask extends FoundRecipient {
  /** The mask that the mail makes; null where the domain has made its masks of the day. */
  readonly route: MailRoute | null;
  readonly domain: DomainName;
}

export interface NewMaskRecipientsDeps {
  readonly masksByMail: MasksByMail;
  readonly findMask: FindMask;
  /** Counts a new mask of a domain for the network that would make it; false when it has made its share of the day. */
  readonly mayMakeMask: (domain: string, network: string) => boolean;
  readonly masks: Pick<RecipientKind<FoundMask>, "admit">;
}

/** The new masks of open transactions, each of which counts once. */
const counted = new WeakMap<OpenTransaction, Set<string>>();

/** Remembers a new mask of a transaction; returns true if it was named before. */
const wasCounted = (transaction: OpenTransaction, address: string): boolean => {
  const known = counted.get(transaction) ?? new Set<string>();
  counted.set(transaction, known);
  const key = mailboxKey(address);
  if (known.has(key)) return true;
  known.add(key);
  return false;
};

/** Creates the kind of masks that mail makes at domains of users; it stands behind the masks that exist. */
export const createNewMaskRecipients = ({
  masksByMail,
  findMask,
  mayMakeMask,
  masks,
}: NewMaskRecipientsDeps): RecipientKind<FoundNewMask> => ({
  takesDomain: masksByMail.hasDomain,
  find: async ({ isOwnDomain, address, localPart, domain }) => {
    if (isOwnDomain) return null;
    const made = await masksByMail.routeTo(localPart, domain);
    if (typeof made === "object") return { route: made, domain };
    // Every domain has a postmaster, also where it makes no masks any more.
    if (made === "tooMany") return isPostmaster(localPart) ? null : { route: null, domain };
    // Another mail may have made the mask since it was looked up.
    const route = await findMask(address);
    return route && { route, domain };
  },
  admit: ({ route, domain }, transaction) => {
    if (!route) return tooManyNewMasks;
    const network = transaction.origin?.network;
    const isCounted = route.isNew && network !== undefined && !wasCounted(transaction, route.maskEmail);
    if (isCounted && !mayMakeMask(domain, network)) return tooManyNewMasks;
    return masks.admit({ route }, transaction);
  },
  make: masksByMail.make,
  findMade: ({ maskEmail }) => findMask(maskEmail),
});
