import type { Correspondent } from "../../../core/correspondents/correspondentEndpoints.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { listEntries } from "../../delivery/mailLog/logQueries.ts";
import { fieldError, UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { RecordAnswer } from "../../platform/store/recordAnswer.ts";
import { createUserCorrespondents } from "../correspondents/correspondents.ts";
import type { MaskOwner } from "../correspondents/reverseAddresses.ts";
import { getMask } from "../masks/maskQueries.ts";
import { entityOf, numbersOf } from "../publicNumbers/publicNumbers.ts";
import { actionOf } from "./contract/alias.ts";
import type { Activity, Contact } from "./contract/aliasEndpoints.ts";
import { readContact, reverseAliasOf, toContact } from "./contract/contact.ts";
import { pageSize, secondsOf } from "./contract/values.ts";
import { maskIdOf } from "./numberedThings.ts";
import { otherSideOf, type ReadAliasDeps, readReverseAliases } from "./readAliases.ts";

/** A correspondent of a mask, as its number stands for it. */
interface OwnContact extends MaskOwner {
  readonly id: string;
}

const contactNotFound = (): UseCaseError => new UseCaseError("missing", "Contact not found");

const entityIdOf = (maskId: string, id: string): string => `${maskId}:${id}`;

/** Creates the use cases of masks' correspondents and mail as SimpleLogin's clients know them. */
export const createAliasContacts = (context: ServerContext, readDeps: ReadAliasDeps) => {
  const { database } = context;
  const { db } = database;
  const correspondents = createUserCorrespondents(context, readDeps.reverseAddresses);

  const maskOf = async (userId: string, number: string): Promise<MaskOwner> => ({
    userId,
    maskId: await maskIdOf(db, userId, number),
  });

  const read = async (
    { userId, maskId }: MaskOwner,
    found: readonly Correspondent[],
    existed: boolean,
  ): Promise<readonly Contact[]> => {
    const idOf = ({ id }: Correspondent): string => entityIdOf(maskId, id);
    const numberOf = await numbersOf(db, { userId, kind: "correspondent" }, found.map(idOf));
    return found.map((correspondent) =>
      toContact({ correspondent, id: numberOf(idOf(correspondent)), existed }),
    );
  };

  const find = async (userId: string, number: string): Promise<OwnContact> => {
    const entity = await entityOf(db, { userId, kind: "correspondent" }, number);
    const [maskId, id] = entity?.split(":") ?? [];
    if (maskId === undefined || id === undefined) throw contactNotFound();
    return { userId, maskId, id };
  };

  return {
    list: async (userId: string, number: string, page: number): Promise<readonly Contact[]> => {
      const mask = await maskOf(userId, number);
      const all = await correspondents.list(mask, {});
      return read(mask, all.correspondents.slice(page * pageSize, (page + 1) * pageSize), true);
    },

    /** Returns the contact of a mask with somebody, and makes it where there is none. */
    add: async (userId: string, number: string, text: string): Promise<Contact> => {
      const mask = await maskOf(userId, number);
      const contact = readContact(text);
      if (contact === null)
        throw fieldError("invalid", "contact", "Please enter an address, as in Name <name@example.org>.");
      const id = readDeps.reverseAddresses.idOf(mask, contact);
      const known = await correspondents.get(mask, id).catch((error: unknown) => {
        if (error instanceof UseCaseError && error.kind === "missing") return null;
        throw error;
      });
      const correspondent = known ?? (await correspondents.add(mask, contact, async (_tx, one) => one));
      const [answer] = await read(mask, [correspondent], known !== null);
      if (!answer) throw new Error("the contact cannot be read");
      return answer;
    },

    toggle: async (
      userId: string,
      number: string,
      recordAnswer: RecordAnswer<{ readonly block_forward: boolean }>,
    ): Promise<{ readonly block_forward: boolean }> => {
      const { id, ...mask } = await find(userId, number);
      const { blocked } = await correspondents.get(mask, id);
      const answer = { block_forward: !blocked };
      await correspondents.setBlocked(mask, { id, isBlocked: !blocked }, async (tx, one) => {
        await recordAnswer(tx, answer);
        return one;
      });
      return answer;
    },

    remove: async (
      userId: string,
      number: string,
      recordAnswer: RecordAnswer<{ readonly deleted: true }>,
    ): Promise<{ readonly deleted: true }> => {
      const { id, ...mask } = await find(userId, number);
      await correspondents.forget(mask, id, async (tx) => {
        await recordAnswer(tx, { deleted: true });
      });
      return { deleted: true };
    },

    /** Returns a page of what the log keeps of a mask's mail. */
    activities: async (userId: string, number: string, page: number): Promise<readonly Activity[]> => {
      const mask = await maskOf(userId, number);
      const { email } = await getMask(db, userId, mask.maskId);
      const offset = page * pageSize;
      const entries = await listEntries(db, userId, { maskId: mask.maskId, limit: pageSize, offset });
      const mails = entries.map((entry) => ({ ...entry, address: otherSideOf(entry) }));
      const others = mails.flatMap(({ address }) => (address === "" ? [] : [{ ...mask, address }]));
      const reverse = await readReverseAliases(db, readDeps, others);
      return mails.map(({ direction, result, at, address }) => {
        const reverseAddress = address && reverse.find(mask.maskId, address);
        return {
          action: actionOf(direction, result),
          from: direction === "sent" ? email : address,
          to: direction === "sent" ? address : email,
          timestamp: secondsOf(Number(at)),
          reverse_alias: reverseAddress && reverseAliasOf({ name: "", address }, reverseAddress),
          reverse_alias_address: reverseAddress,
        };
      });
    },
  };
};

export type AliasContacts = ReturnType<typeof createAliasContacts>;
