import { type EmailAddress, mailboxKey } from "../../../core/mail/emailAddress.ts";
import { fieldError, UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Db } from "../../platform/store/database.ts";
import { maskNotFound } from "../maskChanges/maskChanges.ts";
import { entitiesOf, entityOf, numbersOf } from "../publicNumbers/publicNumbers.ts";
import { findMailboxes } from "./aliasQueries.ts";
import type { MailboxRef } from "./contract/simpleLoginAlias.ts";

/** Returns the id of the user's mask with a number; throws a 404 for one that the user has not. */
export const maskIdOf = async (db: Db, userId: string, number: string): Promise<string> => {
  const id = await entityOf(db, { userId, kind: "mask" }, number);
  if (id === undefined) throw maskNotFound();
  return id;
};

/** Returns the id of the user's destination with a number; throws a 404 for one that the user has not. */
export const destinationIdOf = async (db: Db, userId: string, number: string | number): Promise<string> => {
  const id = await entityOf(db, { userId, kind: "destination" }, number);
  if (id === undefined) throw new UseCaseError("missing", "This address is not in your list any more");
  return id;
};

/** Returns the addresses of confirmed destinations by their numbers; throws a 400 unless all are the user's. */
export const confirmedAddresses = async (
  db: Db,
  userId: string,
  numbers: readonly number[],
): Promise<readonly EmailAddress[]> => {
  const ids = await entitiesOf(db, { userId, kind: "destination" }, numbers);
  const rows = new Map((await findMailboxes(db, userId)).map((row) => [row.id, row]));
  const found = numbers.map((number) => rows.get(ids.get(number) ?? ""));
  const addresses = found.flatMap((row) => (row && row.confirmed_at !== null ? [row.email] : []));
  if (addresses.length === 0 || addresses.length < numbers.length)
    throw fieldError("invalid", "mailbox_ids", "Choose among your confirmed mailboxes.");
  return addresses;
};

/** Finds a destination of the user by its address. */
export type FindMailbox = (address: EmailAddress) => MailboxRef;

/** Reads the user's destinations with their numbers. */
export const readMailboxes = async (db: Db, userId: string): Promise<FindMailbox> => {
  const rows = await findMailboxes(db, userId);
  const numberOf = await numbersOf(
    db,
    { userId, kind: "destination" },
    rows.map(({ id }) => id),
  );
  const byKey = new Map(rows.map((row) => [row.email_key, { id: numberOf(row.id), email: row.email }]));
  return (address) => {
    const mailbox = byKey.get(mailboxKey(address));
    if (!mailbox) throw new Error("a mask forwards to no destination of its owner");
    return mailbox;
  };
};
