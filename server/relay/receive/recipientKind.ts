import type { DomainName } from "../../../core/mail/domainName.ts";
import type { EmailAddress } from "../../../core/mail/emailAddress.ts";
import type { RawMail } from "../../mime/rawMail.ts";
import type { Refused, SmtpReply } from "../../smtp/smtpReplies.ts";
import type { MailParameters } from "../../smtp/smtpTransaction.ts";
import type { RawMailWithHeader } from "../decision/arrivedMail.ts";
import type { Allowance } from "../limits/reservations.ts";
import type { CountedMailTicket, MailOrigin } from "../limits/senderRates.ts";
import type { MailRoute } from "../mailRoute.ts";

/** The address that a RCPT command names. */
export interface Recipient {
  readonly address: EmailAddress;
  /** Without unnecessary quotes. */
  readonly localPart: string;
  readonly domain: DomainName;
  /** True for the installation's domain, false for a user's. */
  readonly isOwnDomain: boolean;
}

/** The thing that an address names; a kind adds what it has to know of it. */
export interface FoundRecipient {
  /** The mask that an address is one of; null for any other address. */
  readonly route: MailRoute | null;
}

/** A mask that gets a copy of the mail, and the month in which the copy is reserved for it. */
export interface AcceptedRecipient {
  readonly route: MailRoute;
  readonly allowance: Allowance;
  readonly ticket: CountedMailTicket;
}

/** A mail transaction, as the kinds of its recipients see it. */
export interface OpenTransaction {
  readonly parameters: MailParameters;
  /** Null where the client speaks for many senders. */
  readonly origin: MailOrigin | null;
  /** The month that the mail counts for. */
  readonly month: string;
  /** The masks that get a copy, by their ids. */
  readonly recipients: ReadonlyMap<string, AcceptedRecipient>;
  /** True if somebody gets a copy: a mask or the postmaster. */
  readonly hasCopies: boolean;
  /** Reserves a copy for a mask, or returns the reply that refuses it. */
  readonly reserve: (route: MailRoute) => Promise<SmtpReply | null>;
  /** Tells the log and the records of features that masks were refused. */
  readonly refuse: (routes: readonly MailRoute[], reply: SmtpReply) => void;
  /** Releases the copies of all masks. */
  readonly releaseRecipients: () => void;
  /** Keeps what a kind has accepted; the same key replaces it. */
  readonly accept: <Found extends FoundRecipient>(
    kind: RecipientKind<Found>,
    key: string,
    found: Found,
  ) => void;
  /** Returns what a kind has accepted, by key, in the order in which it came. */
  readonly acceptedBy: <Found extends FoundRecipient>(
    kind: RecipientKind<Found>,
  ) => ReadonlyMap<string, Found>;
  /** Returns true if another kind has accepted something; masks with a copy alone do not count. */
  readonly isBesideOthers: (kind: RecipientKind) => boolean;
  /** Returns true if a mail of the announced size may have so many copies. */
  readonly fits: (copies: number) => boolean;
  /** Counts an unknown recipient; returns its reply, which waits because whoever asks may be guessing. */
  readonly countGuess: (reply: SmtpReply) => SmtpReply;
}

/** The decision if a recipient is taken together with those that another kind has accepted. */
export type Beside =
  | { readonly kind: "together" }
  /** It is accepted without a copy: what the other kind does reaches it anyway. */
  | { readonly kind: "left-out" }
  | Refused;

/** The result of offering a mail to a kind that it is sent to. */
export type Received =
  /** It has dealt with the mail and answers for all recipients; null means 250. */
  { readonly kind: "taken"; readonly reply: SmtpReply | null } | { readonly kind: "passed-on" };

/** The result of reading a mail. */
export type Reading =
  /** The report that it takes; no other kind reads the mail. Copies are made all the same. */
  { readonly kind: "understood" } | { readonly kind: "nothing" } | Refused;

export const together: Beside = { kind: "together" };
export const passedOn: Received = { kind: "passed-on" };
export const understood: Reading = { kind: "understood" };
export const nothingRead: Reading = { kind: "nothing" };

/** A mail whose content has arrived; `readAll` returns all of it, and waits while too many large mails are in memory. */
export interface ReadableMail extends RawMail {
  readonly readAll: () => Promise<Buffer>;
}

/**
 * A kind of recipient that a feature adds. The transaction asks the kinds in the order of their list; what it asks of each
 * mail is answered synchronously where possible.
 */
export interface RecipientKind<Found extends FoundRecipient = FoundRecipient> {
  /** Tells if mail to a domain is taken here, besides the installation's own. */
  takesDomain?(domain: DomainName): Promise<boolean>;
  /** Returns what an address names; null for an address of another kind. */
  find(recipient: Recipient, transaction: OpenTransaction): Found | null | Promise<Found | null>;
  /**
   * Decides whether a recipient of another kind may stand beside what this kind has accepted; null is an address that no kind
   * knows. Asked only where this kind has accepted something.
   */
  beside?(found: FoundRecipient | null, transaction: OpenTransaction): Beside;
  /** Accepts a recipient, or returns the reply that refuses it. */
  admit(found: Found, transaction: OpenTransaction): SmtpReply | null | Promise<SmtpReply | null>;
  /** Makes what a new route stands for, in the one kind that finds such routes; false when that is not possible any more, or when another mail has made it. */
  make?(route: MailRoute): Promise<boolean>;
  /** Returns the route of what another mail has made; null when it is gone. */
  findMade?(route: MailRoute): Promise<MailRoute | null>;
  /** Receives a mail before it is decided who gets a copy; asked only where this kind has accepted something. */
  receive?(mail: RawMail, transaction: OpenTransaction): Promise<Received>;
  /** Reads a mail that others may get too, whatever this kind has accepted. */
  read?(mail: ReadableMail, transaction: OpenTransaction): Reading | Promise<Reading>;
  /** Returns those of the users who get no copy of a mail to their masks. */
  findUsersWithoutCopy?(mail: RawMailWithHeader, userIds: readonly string[]): Promise<ReadonlySet<string>>;
}
