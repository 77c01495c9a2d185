import * as t from "io-ts";
import { readHeaderBlock } from "../../mime/headerBlock.ts";
import { fieldValues } from "../../mime/mailFields.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";

/** The services whose posts are understood; "raw" is a mail as it is, as a worker of one's own posts it. */
export type Service = "raw" | "postmark" | "mailgun" | "sendgrid";

/** The status after which a service does not try again. Whether it tells the sender is up to it. */
export const finalStatus: Readonly<Record<Service, number>> = {
  raw: 422,
  postmark: 403,
  mailgun: 406,
  sendgrid: 422,
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

const incomplete = (service: string, needed: string): UseCaseError =>
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

const PostmarkMail = t.type({ RawEmail: t.string, OriginalRecipient: t.string, From: t.string });

/** Returns the sender in Return-Path, which the server writes that takes a mail from others (RFC 5321, 4.4); null without it. */
const returnPathOf = (content: Buffer): string | null => {
  const header = readHeaderBlock(content);
  const [path] = header ? fieldValues({ content, header }, "return-path") : [];
  return path === undefined ? null : withoutBrackets(path);
};

/** Reads a mail in the JSON of Postmark, which tells the sender of the envelope in the mail alone. */
export const readPostmark = (json: string): PostedEnvelope & { readonly content: Buffer } => {
  const decoded = PostmarkMail.decode(parseJson(json));
  if (decoded._tag === "Left") throw incomplete("Postmark", "it has no RawEmail or no OriginalRecipient");
  const { RawEmail, OriginalRecipient, From } = decoded.right;
  const content = Buffer.from(RawEmail);
  return { sender: returnPathOf(content) ?? From, recipients: namesIn(OriginalRecipient), content };
};
