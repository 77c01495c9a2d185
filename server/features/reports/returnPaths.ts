import type { Bounces } from "../../delivery/bounces.ts";
import { parseReturnPath } from "../../delivery/serviceAddresses.ts";
import { unknownMask } from "../../relay/decision/refusals.ts";
import type { MailRoute } from "../../relay/mailRoute.ts";
import {
  type FoundRecipient,
  nothingRead,
  passedOn,
  type RecipientKind,
} from "../../relay/receive/recipientKind.ts";

/** The return path of a mail of ours. */
export interface FoundReturnPath extends FoundRecipient {
  /** The id of the mail; null for an address that only sends. */
  readonly id: string | null;
}

export interface ReturnPathDeps {
  readonly bounces: Bounces;
  readonly findMask: (address: string) => Promise<MailRoute | null>;
  readonly masks: Pick<RecipientKind<{ readonly route: MailRoute }>, "admit">;
}

/** Creates the kind of the addresses that our mail is sent from: they take reports of failed deliveries. */
export const createReturnPaths = ({
  bounces,
  findMask,
  masks,
}: ReturnPathDeps): RecipientKind<FoundReturnPath> => {
  const kind: RecipientKind<FoundReturnPath> = {
    find: ({ isOwnDomain, localPart }) => {
      const path = isOwnDomain ? parseReturnPath(localPart) : null;
      return path && { route: null, id: path.id };
    },
    admit: async (found, transaction) => {
      const { id } = found;
      if (id === null) return transaction.parameters.isNullSender ? null : unknownMask;
      if (!(await bounces.expects(id))) return unknownMask;
      transaction.accept(kind, id, found);
      return null;
    },
    // A report that is not understood goes to the masks, as one about a reply does, if they take mail.
    receive: async ({ content }, transaction) => {
      if (!transaction.parameters.isNullSender) return passedOn;
      const ids = [...transaction.acceptedBy(kind).keys()];
      for (const address of await bounces.findMasksToTell(ids, content)) {
        const route = await findMask(address);
        if (route) await masks.admit({ route }, transaction);
      }
      return passedOn;
    },
    read: ({ content }, transaction) => {
      const accepted = transaction.acceptedBy(kind);
      if (accepted.size === 0 || !transaction.parameters.isNullSender) return nothingRead;
      const handle = async () => {
        for (const id of accepted.keys()) await bounces.handle(id, content);
        return nothingRead;
      };
      return handle();
    },
  };
  return kind;
};
