import { createVerify, X509Certificate } from "node:crypto";
import * as t from "io-ts";
import { hourMs } from "../../../core/kernel/durations.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import { answerWithinMs, type GetFromPublicHost } from "../../platform/outgoing/publicHttpClient.ts";
import { incomplete, type PostedEnvelope, parseSmallJson } from "./services.ts";

/** Posts of SNS, which carries the mails of SES: each is a notification, or asks whether the address wants them. */
const signedFields = {
  Notification: ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"],
  SubscriptionConfirmation: [
    "Message",
    "MessageId",
    "SubscribeURL",
    "Timestamp",
    "Token",
    "TopicArn",
    "Type",
  ],
} as const;

const Post = t.intersection([
  t.record(t.string, t.unknown),
  t.type({ Type: t.keyof(signedFields), Message: t.string }),
]);

const Received = t.type({
  content: t.string,
  mail: t.type({ source: t.string }),
  receipt: t.type({ recipients: t.array(t.string), action: t.type({ encoding: t.string }) }),
});

export interface SesPost extends PostedEnvelope {
  readonly content: Buffer;
  /** The address to open once, if more mail is wanted; null for a mail. */
  readonly subscribeUrl: string | null;
  /** What is signed, and by what. */
  readonly texts: ReadonlyMap<string, string>;
}

const isOfAmazon = (url: string): boolean => {
  if (!URL.canParse(url)) return false;
  const { protocol, host } = new URL(url);
  return protocol === "https:" && /^sns\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?$/.test(host);
};

/** Other paths of the host answer calls, whose answers can have what a stranger has stored there: a certificate of their own. */
const isCertificate = (url: string): boolean => {
  if (!isOfAmazon(url)) return false;
  const { pathname, search } = new URL(url);
  return search === "" && /^\/SimpleNotificationService-[0-9a-f]{1,64}\.pem$/.test(pathname);
};

/** Reads a post of SNS with a mail of SES, or with the question whether to send them. */
export const readSes = (json: string): SesPost => {
  const post = Post.decode(parseSmallJson(json));
  if (post._tag === "Left") throw incomplete("Amazon SES", "it is no notification of SNS");
  const texts = new Map(
    Object.entries(post.right).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value] as const] : [],
    ),
  );
  const { Type, Message } = post.right;
  if (Type === "SubscriptionConfirmation") {
    const subscribeUrl = texts.get("SubscribeURL") ?? "";
    if (!isOfAmazon(subscribeUrl)) throw incomplete("Amazon SES", "its SubscribeURL is not Amazon's");
    return { sender: "", recipients: [], content: Buffer.alloc(0), subscribeUrl, texts };
  }
  const received = Received.decode(parseSmallJson(Message));
  if (received._tag === "Left") throw incomplete("Amazon SES", "it has no mail");
  const { content, mail, receipt } = received.right;
  return {
    sender: mail.source,
    recipients: receipt.recipients,
    content: Buffer.from(content, receipt.action.encoding === "BASE64" ? "base64" : "utf8"),
    subscribeUrl: null,
    texts,
  };
};

/** SNS tries again for an hour at most; a clock may be wrong by the same time. */
const recentWithinMs = 2 * hourMs;
const maxFileBytes = 16_384;

/** Opens an address of Amazon; without an answer SNS has to try again. */
const open = async (url: string, get: GetFromPublicHost): Promise<Buffer> => {
  const answer = await get({ url, maxBytes: maxFileBytes, signal: AbortSignal.timeout(answerWithinMs) });
  if ("failure" in answer || answer.status !== 200)
    throw new UseCaseError("unavailable", "Amazon does not answer.");
  return answer.bytes;
};

/** Tells SNS that an address wants the mail of a topic; throws where Amazon does not answer. */
export const subscribe = async (url: string, get: GetFromPublicHost): Promise<void> => {
  await open(url, get);
};

const parseCertificate = (bytes: Buffer): X509Certificate | null => {
  try {
    return new X509Certificate(bytes);
  } catch {
    return null;
  }
};

/** True if Amazon has signed a post for the topic, with a certificate that its own host hands out; throws where that does not answer. */
export const isSignedByAmazon = async (
  texts: ReadonlyMap<string, string>,
  { topic, now, get }: { readonly topic: string; readonly now: number; readonly get: GetFromPublicHost },
): Promise<boolean> => {
  const type = texts.get("Type");
  const certificateUrl = texts.get("SigningCertURL") ?? "";
  const at = Date.parse(texts.get("Timestamp") ?? "");
  if (type !== "Notification" && type !== "SubscriptionConfirmation") return false;
  if (texts.get("TopicArn") !== topic || !isCertificate(certificateUrl)) return false;
  if (!(Math.abs(now - at) <= recentWithinMs)) return false;
  const certificate = parseCertificate(await open(certificateUrl, get));
  if (certificate === null) return false;
  const verify = createVerify(texts.get("SignatureVersion") === "2" ? "sha256" : "sha1");
  for (const name of signedFields[type]) {
    const value = texts.get(name);
    if (value !== undefined) verify.update(`${name}\n${value}\n`);
  }
  return verify.verify(certificate.publicKey, texts.get("Signature") ?? "", "base64");
};
