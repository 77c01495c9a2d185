import * as t from "io-ts";
import { readHeaderBlock } from "../../mime/headerBlock.ts";
import { fieldValues } from "../../mime/mailFields.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";

/** The services whose posts are understood; "raw" is a mail as it is, as a worker of one's own posts it. */
export type Service = "raw" | "postmark" | "mailgun" | "sendgrid" | "ses";

/** The status after which a service does not try again. Whether it tells the sender is up to it. */
export const finalStatus: Readonly<Record<Service, number>> = {
  raw: 422,
  postmark: 403,
  mailgun: 406,
  sendgrid: 422,
  ses: 422,
};

/** The envelope of a mail as a service tells it. */
export interface PostedEnvelope {
  /** Empty for the null sender. */
  readonly sender: string;
  readonly recipients: readonly string[];
}

type Texts = ReadonlyMap<string, string>;

/** The fields of a form that have a mail, each with its service and the texts that belong to it. */
export const formContents: ReadonlyMap<string, Service> = new Map([
  ["body-mime", "mailgun"],
  ["email", "sendgrid"],
]);
export const formTexts: ReadonlySet<string> = new Set([
  "envelope",
  "recipient",
  "sender",
  "signature",
  "timestamp",
  "token",
]);

/** Returns the error of a post that a service sends only where it is set up in another way. */
export const incomplete = (service: string, needed: string): UseCaseError =>
  new UseCaseError("invalid", `This is not a mail of ${service} as docs/inbound.md sets it up: ${needed}.`);

const withoutBrackets = (address: string): string => address.trim().replace(/^<(.*)>$/, "$1");

const namesIn = (list: string): readonly string[] =>
  list
    .split(",")
    .map(withoutBrackets)
    .filter((address) => address !== "");

const SendGridEnvelope = t.type({ to: t.array(t.string), from: t.string });

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const readMailgun = (texts: Texts): PostedEnvelope => {
  const sender = texts.get("sender");
  if (sender === undefined) throw incomplete("Mailgun", "it has no sender");
  return { sender: withoutBrackets(sender), recipients: namesIn(texts.get("recipient") ?? "") };
};

const readSendGrid = (texts: Texts): PostedEnvelope => {
  const decoded = SendGridEnvelope.decode(parseJson(texts.get("envelope") ?? ""));
  if (decoded._tag === "Left") throw incomplete("SendGrid", "it has no envelope");
  const { to, from } = decoded.right;
  return { sender: withoutBrackets(from), recipients: to.map(withoutBrackets) };
};

/** Reads the envelope that a form names beside the mail that it has. */
export const readFormEnvelope = (service: Service, texts: Texts): PostedEnvelope =>
  service === "mailgun" ? readMailgun(texts) : readSendGrid(texts);

/** Values in the JSON of a service at most. It has a few for each field of a mail; many more would take JSON.parse seconds. */
const maxValues = 20_000;

/** Returns where a string of JSON ends that begins at `start`; the end of the text where it does not. */
const endOfString = (json: string, start: number): number => {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let escapes = 0;
    while (json[end - 1 - escapes] === "\\") escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return json.length;
};

/** True if a text of JSON has no more values than a service says of a mail. Strings are skipped, so that it costs little. */
const hasFewValues = (json: string): boolean => {
  let values = 0;
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charAt(at);
    if (character === '"') at = endOfString(json, at);
    else if ("[{,".includes(character)) values += 1;
    if (values > maxValues) return false;
  }
  return true;
};

/** Parses JSON that a service says a mail in; null for what is none, or has too many values. */
export const parseSmallJson = (json: string): unknown => (hasFewValues(json) ? parseJson(json) : null);

const PostmarkMail = t.type({ RawEmail: t.string, OriginalRecipient: t.string, From: t.string });

/** Returns the sender in Return-Path, which the server writes that takes a mail from others (RFC 5321, 4.4); null without it. */
const returnPathOf = (content: Buffer): string | null => {
  const header = readHeaderBlock(content);
  const [path] = header ? fieldValues({ content, header }, "return-path") : [];
  return path === undefined ? null : withoutBrackets(path);
};

/** Reads a mail in the JSON of Postmark, which tells the sender of the envelope in the mail alone. */
export const readPostmark = (json: string): PostedEnvelope & { readonly content: Buffer } => {
  const decoded = PostmarkMail.decode(parseSmallJson(json));
  if (decoded._tag === "Left") throw incomplete("Postmark", "it has no RawEmail or no OriginalRecipient");
  const { RawEmail, OriginalRecipient, From } = decoded.right;
  const content = Buffer.from(RawEmail);
  return { sender: returnPathOf(content) ?? From, recipients: namesIn(OriginalRecipient), content };
};
