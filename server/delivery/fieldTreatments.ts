import { decodeEncodedWords } from "../mime/charsets.ts";

/**
 * The treatment of a header field when its mail is forwarded to the owner of a mask (docs/forwarding.md). Nothing is
 * removed: whatever is written anew keeps its original under a name that no mail program acts on.
 *
 * - `kept`: as the sender wrote it.
 * - `mailboxes`: a list of mailboxes to which mail programs answer; written anew with reverse addresses.
 * - `links`: links in angle brackets (RFC 2369); written anew with reverse addresses where they are `mailto:`.
 * - `ids`: Message-IDs; written anew as the owner's mail program knows them.
 * - `unsubscribe`: written anew where the list is left through the mask.
 * - `subject`: written anew when rules or the proof of the sender change it.
 * - `results`: renamed when it claims to be from this server.
 * - `ours`: only this server says it; the sender's own field is renamed.
 * - `renamed`: would lead an answer, a receipt or a report past the mask, or belongs to an earlier transmission.
 */
export type FieldTreatment =
  | "kept"
  | "mailboxes"
  | "links"
  | "ids"
  | "subject"
  | "unsubscribe"
  | "results"
  | "ours"
  | "renamed";

/** The treatment of a set of fields, by the names as they are written. */
export type TreatmentTable = Readonly<Record<FieldTreatment, readonly string[]>>;

/** Every field that IANA has registered for mail and MIME, permanently or provisionally (RFC 3864), as of 2025-08-25. */
export const registeredFields: TreatmentTable = {
  kept: [
    "Accept-Language",
    "Alternate-Recipient",
    "ARC-Authentication-Results",
    "ARC-Message-Signature",
    "ARC-Seal",
    "Auto-Submitted",
    "Autoforwarded",
    "Autosubmitted",
    "Base",
    "Comments",
    "Content-Alternative",
    "Content-Base",
    "Content-Description",
    "Content-Disposition",
    "Content-Duration",
    "Content-features",
    "Content-ID",
    "Content-Identifier",
    "Content-Language",
    "Content-Location",
    "Content-MD5",
    "Content-Return",
    "Content-Transfer-Encoding",
    "Content-Translation-Type",
    "Content-Type",
    "Conversion",
    "Conversion-With-Loss",
    "Date",
    "Deferred-Delivery",
    "Delivered-To",
    "Delivery-Date",
    "Discarded-X400-IPMS-Extensions",
    "Discarded-X400-MTS-Extensions",
    "Disclose-Recipients",
    "DKIM-Signature",
    "DL-Expansion-History",
    "Downgraded-Final-Recipient",
    "Downgraded-In-Reply-To",
    "Downgraded-Message-Id",
    "Downgraded-Original-Recipient",
    "Downgraded-References",
    "EDIINT-Features",
    "Eesst-Version",
    "Encoding",
    "Encrypted",
    "Expires",
    "Expiry-Date",
    "Face",
    "Form-Sub",
    "HP-Outer",
    "Importance",
    "Incomplete-Copy",
    "Jabber-ID",
    "Keywords",
    "Language",
    "Latest-Delivery-Time",
    "List-ID",
    "Message-Context",
    "Message-Type",
    "MIME-Version",
    "MMHS-Acp127-Message-Identifier",
    "MMHS-Codress-Message-Indicator",
    "MMHS-Copy-Precedence",
    "MMHS-Exempted-Address",
    "MMHS-Extended-Authorisation-Info",
    "MMHS-Handling-Instructions",
    "MMHS-Message-Instructions",
    "MMHS-Message-Type",
    "MMHS-Originator-PLAD",
    "MMHS-Originator-Reference",
    "MMHS-Other-Recipients-Indicator-CC",
    "MMHS-Other-Recipients-Indicator-To",
    "MMHS-Primary-Precedence",
    "MMHS-Subject-Indicator-Codes",
    "MT-Priority",
    "Obsoletes",
    "Organization",
    "Original-Encoded-Information-Types",
    "Original-From",
    "Original-Message-ID",
    "Original-Recipient",
    "Original-Subject",
    "PICS-Label",
    "Prevent-NonDelivery-Report",
    "Priority",
    "Privicon",
    "Received",
    "Received-SPF",
    "Reply-By",
    "Require-Recipient-Valid-Since",
    "Sensitivity",
    "SIO-Label",
    "SIO-Label-History",
    "Solicitation",
    "Supersedes",
    "TLS-Report-Domain",
    "TLS-Report-Submitter",
    "TLS-Required",
    "VBR-Info",
    "X-Face",
    "X-Mittente",
    "X-Ricevuta",
    "X-Riferimento-Message-ID",
    "X-Trasporto",
    "X-VerificaSicurezza",
    "X400-Content-Identifier",
    "X400-Content-Return",
    "X400-Content-Type",
    "X400-MTS-Identifier",
    "X400-Originator",
    "X400-Received",
    "X400-Recipients",
    "X400-Trace",
  ],
  mailboxes: ["Reply-To", "To", "Cc"],
  links: [
    "Archived-At",
    "List-Archive",
    "List-Help",
    "List-Owner",
    "List-Post",
    "List-Subscribe",
    "List-Unsubscribe",
    "Wrong-Recipient",
    "X-Archived-At",
  ],
  ids: ["Message-ID", "In-Reply-To", "References"],
  subject: ["Subject"],
  unsubscribe: ["List-Unsubscribe-Post"],
  results: ["Authentication-Results"],
  ours: ["From"],
  renamed: [
    "Apparently-To",
    "Author",
    "Bcc",
    "CFBL-Address",
    "CFBL-Feedback-ID",
    "Disposition-Notification-Options",
    "Disposition-Notification-To",
    "Downgraded-Bcc",
    "Downgraded-Cc",
    "Downgraded-Disposition-Notification-To",
    "Downgraded-From",
    "Downgraded-Mail-From",
    "Downgraded-Rcpt-To",
    "Downgraded-Reply-To",
    "Downgraded-Resent-Bcc",
    "Downgraded-Resent-Cc",
    "Downgraded-Resent-From",
    "Downgraded-Resent-Reply-To",
    "Downgraded-Resent-Sender",
    "Downgraded-Resent-To",
    "Downgraded-Return-Path",
    "Downgraded-Sender",
    "Downgraded-To",
    "Errors-To",
    "Generate-Delivery-Report",
    "MMHS-Authorizing-Users",
    "Originator-Return-Address",
    "Resent-Bcc",
    "Resent-Cc",
    "Resent-Date",
    "Resent-From",
    "Resent-Message-ID",
    "Resent-Reply-To",
    "Resent-Sender",
    "Resent-To",
    "Return-Path",
    "Sender",
    "X-TipoRicevuta",
  ],
};

/** Fields in use that are not registered for mail, and that a name alone would decide wrongly or not at all. */
export const unregisteredFields: TreatmentTable = {
  kept: ["Envelope-To", "X-Envelope-To", "X-Forwarded-For", "X-Forwarded-To", "X-Original-To"],
  mailboxes: ["Mail-Reply-To", "Mail-Followup-To", "Mail-Copies-To"],
  links: [],
  ids: [],
  subject: [],
  unsubscribe: [],
  results: [],
  ours: ["X-Mailbox-Line"],
  renamed: [
    "Acknowledge-To",
    "Confirm-Delivery-To",
    "Confirm-Reading-To",
    "Followup-To",
    "Newsgroups",
    "Notice-Requested-Upon-Delivery-To",
    "Read-Receipt-To",
    "Registered-Mail-Reply-Requested-By",
    "Return-Receipt-Requested",
    "Return-Receipt-To",
    "X-Confirm-Delivery",
    "X-Confirm-Reading-To",
    "X-Reply-To",
  ],
};

/** The prefix of all names of fields that this server writes for itself. */
const ownPrefix = "x-bauta-";

interface KnownField {
  readonly written: string;
  readonly treatment: FieldTreatment;
}

const treatmentNames = Object.keys(registeredFields) as readonly FieldTreatment[];

const known: ReadonlyMap<string, KnownField> = new Map(
  [registeredFields, unregisteredFields].flatMap((table) =>
    treatmentNames.flatMap((treatment) =>
      table[treatment].map((written) => [written.toLowerCase(), { written, treatment }] as const),
    ),
  ),
);

/** Parts of names by which programs of any kind ask for a receipt. */
const asksForReceipt = /receipt|acknowledge|confirm-|disposition-notification/;
/** Parts of names of fields to whose addresses a program may write. */
const isAnswered = /-to$|reply|followup|unsubscribe/;

/** Encoded words that are not decoded here may be by others. */
const namesSomebody = /@|=\?[^?\s]{1,60}\?[bq]\?/i;

/** Returns what a program reads that decodes encoded words before anything else (RFC 2047). */
const decoded = (value: string): string => {
  const unfolded = value.replaceAll("\r\n", "");
  return unfolded.includes("=?") ? decodeEncodedWords(unfolded) : unfolded;
};

/**
 * A field that is in no table is kept, unless its name asks for a receipt, or it names somewhere to write to: by a
 * `mailto:` link, in which white space is ignored (RFC 2369, 2), or by its name and an address.
 */
const treatUnknown = (name: string, readValue: () => string): FieldTreatment => {
  if (asksForReceipt.test(name)) return "renamed";
  const value = decoded(readValue());
  if (namesSomebody.test(value) && isAnswered.test(name)) return "renamed";
  return /mailto:/i.test(value.replaceAll(/\s+/g, "")) ? "renamed" : "kept";
};

/** Returns what happens to a field with a name in lower case; its value is read only when its name does not decide. */
export const treatmentOf = (name: string, readValue: () => string): FieldTreatment =>
  known.get(name)?.treatment ?? (name.startsWith(ownPrefix) ? "ours" : treatUnknown(name, readValue));

/** Returns the treatment of a field that is in one of the tables, by its name in lower case. */
export const knownTreatment = (name: string): FieldTreatment | null => known.get(name)?.treatment ?? null;

/** Returns the name of a field as it is written, by its name in lower case. */
export const writtenName = (name: string): string => known.get(name)?.written ?? name;
