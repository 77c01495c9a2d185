import * as t from "io-ts";
import { endpoint } from "../../../../core/api/endpoint.ts";
import type { Destination } from "../../../../core/destinations/destinationEndpoints.ts";
import { emailAddress } from "../../../../core/mail/emailAddress.ts";
import { byTable } from "../../../platform/answers/byTable.ts";
import { Integer, NullableText, secondsOf } from "./simpleLoginValues.ts";

/** A destination, as SimpleLogin's clients read it. */
export const Mailbox = t.type({
  id: Integer,
  email: t.string,
  verified: t.boolean,
  default: t.boolean,
  creation_timestamp: Integer,
  nb_alias: Integer,
});
export type Mailbox = t.TypeOf<typeof Mailbox>;

interface MailboxSource {
  readonly destination: Destination;
  readonly id: number;
  /** In milliseconds since 1970. */
  readonly created: number;
}

/** Returns a destination as a mailbox. */
export const toMailbox = byTable<MailboxSource, Mailbox>({
  id: ({ id }) => id,
  email: ({ destination }) => destination.email,
  verified: ({ destination }) => destination.status === "confirmed",
  default: ({ destination }) => destination.isDefault,
  creation_timestamp: ({ created }) => secondsOf(created),
  nb_alias: ({ destination }) => destination.masks,
});

const Mailboxes = t.type({ mailboxes: t.readonlyArray(Mailbox) });

/** Lists the confirmed destinations. A token that may not know them is told of the usual one, without its address. */
export const getVerifiedMailboxes = endpoint("GET", "/api/mailboxes", { tokens: "any", answer: Mailboxes });
/** Lists all destinations, likewise. */
export const getMailboxes = endpoint("GET", "/api/v2/mailboxes", { tokens: "any", answer: Mailboxes });

const email = emailAddress({
  required: "Please enter a valid email address",
  invalid: "Please enter a valid email address",
});

/** Adds a destination, which gets a mail to confirm it. */
export const postMailbox = endpoint("POST", "/api/mailboxes", {
  status: 201,
  tokens: "destinations",
  body: t.type({ email }),
  answer: Mailbox,
});

const path = "/api/mailboxes/:id";
const params = t.type({ id: t.string });

/** Removes a destination. Its masks forward to another one, or are switched off. */
export const deleteMailbox = endpoint("DELETE", path, {
  tokens: "destinations",
  params,
  body: t.partial({ transfer_aliases_to: t.union([Integer, t.null]) }),
  answer: t.type({ deleted: t.literal(true) }),
});

/** Makes a destination the default one. Its address cannot be changed: another destination is added instead. */
export const putMailbox = endpoint("PUT", path, {
  tokens: "destinations",
  params,
  body: t.partial({ default: t.boolean, email: NullableText, cancel_email_change: t.boolean }),
  answer: t.type({ updated: t.literal(true) }),
});
