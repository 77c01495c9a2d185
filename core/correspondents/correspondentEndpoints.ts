import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { listPage } from "../api/listPage.ts";
import { freeText, refined, requiredText } from "../api/textCodecs.ts";
import { emailAddress } from "../mail/emailAddress.ts";

/** Somebody who has exchanged mail with a mask, or may be written to. Dates are ISO 8601. */
export const Correspondent = t.intersection([
  t.type({
    id: t.string,
    /** Empty when no mail of theirs had one. */
    name: t.string,
    address: t.string,
    /** Mail of the mask's owner to this address reaches the correspondent as mail from the mask. */
    reverseAddress: t.string,
    created: t.string,
    /** The day of their last mail; null without one. */
    lastReceived: t.union([t.string, t.null]),
    /** The owner's last mail to them; null without one. */
    lastSent: t.union([t.string, t.null]),
    /** True if the mask refuses their mail. */
    blocked: t.boolean,
  }),
  /** The listed domain that the mask refuses mail of, theirs too; absent without one. */
  t.partial({ blockedDomain: t.string }),
]);
export type Correspondent = t.TypeOf<typeof Correspondent>;

const mask = t.type({ id: t.string });

/**
 * Lists the correspondents of a mask, the latest first: the first 500, or at most `limit` (1 to 1,000) of those that follow the
 * correspondent `after`; 404 for a mask of another user. Extends the contract.
 */
export const listCorrespondents = endpoint("GET", "/masks/:id/correspondents", {
  tokens: "correspondents",
  params: t.intersection([mask, t.partial(listPage)]),
  answer: t.type({
    correspondents: t.readonlyArray(Correspondent),
    /** True if there are more than the listed ones. */
    more: t.boolean,
  }),
});

/** Returns the reverse address for writing to somebody from a mask; the same one each time. 409 for a mask with too many. */
export const postCorrespondent = endpoint("POST", "/masks/:id/correspondents", {
  status: 201,
  tokens: "correspondents",
  params: mask,
  body: t.type({
    address: emailAddress({
      required: "Enter the address to write to",
      invalid: "Please enter a valid email address",
    }),
  }),
  answer: Correspondent,
});

/** The most characters of a mail that is written in the app. */
const maxWrittenCharacters = 100_000;

const WrittenText = refined(
  requiredText("Write something"),
  (text) => text.length <= maxWrittenCharacters,
  "This is too long for an email that is written here. Write it in your mail program.",
);

/** A Message-ID with its angle brackets (RFC 5322, 3.6.4). */
const MessageId = refined(t.string, (id) => /^<[!-;=?-~]{1,900}>$/.test(id), "Expected a Message-ID");

const maxWrittenSubject = 500;

/** A mail in plain text to a correspondent, whose reverse address is `to`. */
export const WrittenMail = t.intersection([
  t.type({
    to: emailAddress({
      required: "Choose whom to write to",
      invalid: "Please enter a valid email address",
    }),
    subject: refined(
      freeText({ what: "A subject", allowsHtml: true }),
      ({ length }) => length <= maxWrittenSubject,
      `A subject can have at most ${maxWrittenSubject} characters`,
    ),
    text: WrittenText,
  }),
  /** The Message-ID of the mail that it answers. */
  t.partial({ inReplyTo: MessageId }),
]);
export type WrittenMail = t.TypeOf<typeof WrittenMail>;

/**
 * Sends a mail from a mask to the correspondent behind a reverse address, as a mail program would by submission. 404 for a
 * mask or a reverse address of another user, 409 with the reason when it is refused.
 */
export const postWrittenMail = endpoint("POST", "/masks/:id/mails", {
  status: 201,
  tokens: "correspondents",
  params: mask,
  body: WrittenMail,
  answer: t.type({}),
});

/** Has the mask refuse a correspondent's mail from now on, or take it again. */
export const putCorrespondent = endpoint("PUT", "/masks/:id/correspondents/:correspondent", {
  tokens: "correspondents",
  params: t.type({ id: t.string, correspondent: t.string }),
  body: t.type({ blocked: t.boolean }),
  answer: Correspondent,
});

/** Deletes what is stored of a correspondent; replies to their earlier mails no longer reach them. */
export const deleteCorrespondent = endpoint("DELETE", "/masks/:id/correspondents/:correspondent", {
  tokens: "correspondents",
  params: t.type({ id: t.string, correspondent: t.string }),
});
