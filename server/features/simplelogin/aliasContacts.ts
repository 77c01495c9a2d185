import type { Correspondent } from "../../../core/correspondents/correspondentEndpoints.ts";
import { listEntries } from "../../delivery/mailLog/logQueries.ts";
import { fieldError, UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Db } from "../../platform/store/database.ts";
import {
  addCorrespondent,
  blockCorrespondent,
  type CorrespondentsContext,
  findCorrespondent,
  forgetCorrespondent,
  listCorrespondents,
} from "../correspondents/correspondents.ts";
import type { MaskOwner } from "../correspondents/reverseAddresses.ts";
import { getMask } from "../masks/maskQueries.ts";
import { entityOf, numbersOf } from "../publicNumbers/publicNumbers.ts";
import { readContact, reverseAliasOf, toContact } from "./contract/contact.ts";
import { actionOf } from "./contract/simpleLoginAlias.ts";
import type { Activity, Contact } from "./contract/simpleLoginAliasEndpoints.ts";
import { pageSize, secondsOf } from "./contract/simpleLoginValues.ts";
import { maskIdOf } from "./numberedThings.ts";
import { otherSideOf, type ReadAliasDeps, readReverseAliases } from "./readAliases.ts";

/** A page, from 0, of what belongs to a mask. */
interface NumberedPage {
  readonly number: string;
  readonly page: number;
}

/** A correspondent of a mask, as its number stands for it. */
interface OwnContact extends MaskOwner {
  readonly id: string;
}

const contactNotFound = (): UseCaseError => new UseCaseError("missing", "Contact not found");

const entityIdOf = (maskId: string, id: string): string => `${maskId}:${id}`;

const maskOf = async (db: Db, userId: string, number: string): Promise<MaskOwner> => ({
  userId,
  maskId: await maskIdOf(db, userId, number),
});

const read = async (
  db: Db,
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

const findOwn = async (db: Db, userId: string, number: string): Promise<OwnContact> => {
  const entity = await entityOf(db, { userId, kind: "correspondent" }, number);
  const [maskId, id] = entity?.split(":") ?? [];
  if (maskId === undefined || id === undefined) throw contactNotFound();
  return { userId, maskId, id };
};

/** Returns a page of a mask's correspondents as SimpleLogin's clients know them. */
export const listContacts = async (
  context: CorrespondentsContext,
  db: Db,
  userId: string,
  { number, page }: NumberedPage,
): Promise<readonly Contact[]> => {
  const mask = await maskOf(db, userId, number);
  const { correspondents } = await listCorrespondents(context, db, mask, {});
  return read(db, mask, correspondents.slice(page * pageSize, (page + 1) * pageSize), true);
};

/** Returns the contact of a mask with somebody, and makes it where there is none. */
export const addContact = async (
  context: CorrespondentsContext,
  tx: Db,
  userId: string,
  { number, text }: { readonly number: string; readonly text: string },
): Promise<Contact> => {
  const mask = await maskOf(tx, userId, number);
  const contact = readContact(text);
  if (contact === null)
    throw fieldError("invalid", "contact", "Enter an address, as in Name <name@example.org>.");
  const known = await findCorrespondent(context, tx, mask, context.reverseAddresses.idOf(mask, contact));
  const correspondent = known ?? (await addCorrespondent(context, tx, mask, contact));
  const [answer] = await read(tx, mask, [correspondent], known !== undefined);
  if (!answer) throw new Error("the contact cannot be read");
  return answer;
};

/** Blocks a contact of the user, or no longer does. */
export const toggleContact = async (
  context: CorrespondentsContext,
  tx: Db,
  userId: string,
  number: string,
): Promise<{ readonly block_forward: boolean }> => {
  const { id, ...mask } = await findOwn(tx, userId, number);
  const before = await findCorrespondent(context, tx, mask, id);
  const isBlocked = before?.blocked !== true;
  await blockCorrespondent(context, tx, mask, { id, isBlocked });
  return { block_forward: isBlocked };
};

/** Forgets a contact of the user. */
export const removeContact = async (
  context: CorrespondentsContext,
  tx: Db,
  userId: string,
  number: string,
): Promise<{ readonly deleted: true }> => {
  const { id, ...mask } = await findOwn(tx, userId, number);
  await forgetCorrespondent(context, tx, mask, id);
  return { deleted: true };
};

/** Returns a page of what the log keeps of a mask's mail. */
export const listActivities = async (
  context: ReadAliasDeps,
  db: Db,
  userId: string,
  { number, page }: NumberedPage,
): Promise<readonly Activity[]> => {
  const mask = await maskOf(db, userId, number);
  const { email } = await getMask(db, userId, mask.maskId);
  const offset = page * pageSize;
  const entries = await listEntries(db, userId, { maskId: mask.maskId, limit: pageSize, offset });
  const mails = entries.map((entry) => ({ ...entry, address: otherSideOf(entry) }));
  const others = mails.flatMap(({ address }) => (address === "" ? [] : [{ ...mask, address }]));
  const reverse = await readReverseAliases(db, context, others);
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
};
