import { type DomainName, isAtDomain } from "../../../core/mail/domainName.ts";
import { isReceivedMail } from "../../delivery/serviceAddresses.ts";
import type { DeliveryOutcome, Transport, TransportMail } from "../../delivery/transport.ts";
import type { Database } from "../../platform/store/database.ts";
import { mayUseAddress } from "./addressRight.ts";

interface OwnedTransportDeps {
  readonly transport: Transport;
  readonly database: Pick<Database, "db">;
  readonly maskDomain: DomainName;
}

const notOwned: DeliveryOutcome = {
  kind: "permanent",
  answer: "550 5.7.1 The mask is at a domain that is not yours any more",
};

const unknownOwner: DeliveryOutcome = { kind: "temporary", answer: "the owner of the domain cannot be read" };

/** Returns the mask's address that a mail leaves from; null for other mail. */
const findMaskAddress = async (
  { database, maskDomain }: OwnedTransportDeps,
  { envelopeSender, maskId = null }: TransportMail,
): Promise<string | null> => {
  if (isAtDomain(envelopeSender, maskDomain)) return null;
  if (!isReceivedMail({ envelopeSender })) return envelopeSender;
  // An automatic answer leaves with the null sender.
  if (maskId === null) return null;
  const mask = await database.db
    .selectFrom("masks")
    .where("id", "=", maskId)
    .select("email")
    .executeTakeFirst();
  return mask?.email ?? null;
};

/**
 * Creates a transport that refuses mail from masks at domains that their owner has lost since it was queued, so that no
 * mail leaves in the name of a domain's new owner.
 */
export const createOwnedTransport = (deps: OwnedTransportDeps): Transport => {
  const { transport, database, maskDomain } = deps;

  const refusalOf = async (mail: TransportMail): Promise<DeliveryOutcome | null> => {
    try {
      const email = await findMaskAddress(deps, mail);
      if (email === null) return null;
      return (await mayUseAddress(database.db, { userId: mail.userId ?? "", email }, maskDomain))
        ? null
        : notOwned;
    } catch {
      return unknownOwner;
    }
  };

  return {
    send: async (mail) => (await refusalOf(mail)) ?? transport.send(mail),
    abort: transport.abort,
  };
};
