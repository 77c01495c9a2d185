import { createHash, timingSafeEqual } from "node:crypto";
import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../../core/ports/clock.ts";
import type { SigningKey } from "../../platform/config/signingKey.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import { HttpError } from "../../platform/http/httpError.ts";
import { readPostedForm } from "../../platform/http/postedForm.ts";
import type { GetFromPublicHost } from "../../platform/outgoing/publicHttpClient.ts";
import type { Intake, RecipientAnswer } from "../../relay/receive/intake.ts";
import type { IncomingContent } from "../../smtp/incomingContent.ts";
import { maxMailBytes } from "../../smtp/smtpLimits.ts";
import type { SmtpReply } from "../../smtp/smtpReplies.ts";
import { readSes, subscribe } from "./amazonSes.ts";
import {
  finalStatus,
  formContents,
  formTexts,
  type PostedEnvelope,
  readFormEnvelope,
  readPostmark,
  type Service,
} from "./services.ts";
import { beginSignatureCheck, type SignatureCheck } from "./signatures.ts";

export interface InboundDeps {
  readonly secret: string;
  /** The key of the service that signs; null where the secret alone proves it. */
  readonly signingKey: SigningKey | null;
  readonly intake: Intake;
  readonly clock: Pick<Clock, "now">;
  readonly getFromPublicHost: GetFromPublicHost;
}

/** Bytes of one post at most: a mail in Base64 or percent encoding, and what services say of it. */
const maxPostBytes = 3 * maxMailBytes;
/** Bytes of posts that are in memory as a whole; others go to the spool as they arrive. */
const maxWholeBytes = 40 * 1024 * 1024;
const retryAfterS = 300;

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Creates the check of a URL, in constant time. */
const createIsSecret = (secret: string): ((url: string) => boolean) => {
  const expected = digest(secret);
  return (url) => timingSafeEqual(digest(/^\/inbound\/([^/?]*)(?:\?|$)/.exec(url)?.[1] ?? ""), expected);
};

const matchBySecret = "inboundSecret";

/** Has the router itself know the secret: with another one there is no such path, in every respect. */
const constrainBySecret = (fastify: FastifyInstance, secret: string): void => {
  const isSecret = createIsSecret(secret);
  fastify.addConstraintStrategy({
    name: matchBySecret,
    storage: () => {
      const handlers = new Map();
      return {
        get: (value) => handlers.get(value) ?? null,
        set: (value, handler) => void handlers.set(value, handler),
      };
    },
    validate: () => {},
    deriveConstraint: ({ url = "" }) => (url.startsWith("/inbound/") && isSecret(url) ? true : undefined),
  });
};

const tooLarge = (): HttpError => new HttpError(413, "The mail is too large.");
const busy = (): UseCaseError =>
  new UseCaseError("too-often", "Too many large mails arrive at the moment.", { retryAfterS });
const notSigned = (): UseCaseError =>
  new UseCaseError("forbidden", "The signature of the service is missing, wrong or too old.");

/** Counts the bytes of all posts that are in memory as a whole. */
const createWholeRoom = () => {
  let used = 0;
  return {
    open: () => {
      let own = 0;
      return {
        take: (bytes: number): void => {
          if (used + bytes > maxWholeBytes) throw busy();
          used += bytes;
          own += bytes;
        },
        close: (): void => {
          used -= own;
          own = 0;
        },
      };
    },
  };
};

/** The bytes of a post. An unread rest stays, so that the answer can be sent. */
async function* bytesOf(body: Readable, check: SignatureCheck | null): AsyncIterable<Buffer> {
  let length = 0;
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    const bytes = chunk as Buffer;
    length += bytes.length;
    if (length > maxPostBytes) throw tooLarge();
    check?.add(bytes);
    yield bytes;
  }
}

interface Post {
  readonly request: FastifyRequest;
  readonly bytes: AsyncIterable<Buffer>;
  readonly content: IncomingContent;
  /** Counts bytes that stay in memory until the end; throws when there are too many. */
  readonly takeRoom: (bytes: number) => void;
}

interface Read extends PostedEnvelope {
  readonly service: Service;
  readonly texts: ReadonlyMap<string, string>;
  /** The address to open before the service sends mail; null for a mail. */
  readonly subscribeUrl?: string | null;
}

const noTexts: ReadonlyMap<string, string> = new Map();

const readRaw = async ({ request: { query }, bytes, content }: Post): Promise<Read> => {
  const { from, to } = query as Readonly<Record<string, string | readonly string[] | undefined>>;
  if (typeof from !== "string" || to === undefined)
    throw new UseCaseError("invalid", "Name the envelope in the address: ?from=…&to=…; to may be repeated.");
  for await (const chunk of bytes) {
    await content.add([chunk]);
    if (content.refusal()) break;
  }
  return { service: "raw", sender: from, recipients: [to].flat(), texts: noTexts };
};

async function* counted({ bytes, takeRoom }: Post): AsyncIterable<Buffer> {
  for await (const chunk of bytes) {
    takeRoom(chunk.length);
    yield chunk;
  }
}

const readText = async (post: Post): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of counted(post)) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
};

const readJson = async (post: Post): Promise<Read> => {
  const { content, ...envelope } = readPostmark(await readText(post));
  await post.content.add([content]);
  return { service: "postmark", ...envelope, texts: noTexts };
};

const readNotification = async (post: Post): Promise<Read> => {
  const { content, ...rest } = readSes(await readText(post));
  await post.content.add([content]);
  return { service: "ses", ...rest };
};

const readForm = async (type: string, bytes: Post["bytes"], { content }: Post): Promise<Read> => {
  const { texts, contents } = await readPostedForm(type, bytes, {
    texts: formTexts,
    contents: new Set(formContents.keys()),
    maxContentBytes: maxMailBytes,
    onContent: (piece) => content.add([piece]),
  });
  const [name = "", ...more] = contents;
  const service = formContents.get(name);
  if (service === undefined || more.length > 0)
    throw new UseCaseError(
      "invalid",
      "The form has no raw mail. docs/inbound.md says how the service sends it.",
    );
  return { service, ...readFormEnvelope(service, texts), texts };
};

const readPost = (post: Post): Promise<Read> => {
  const type = post.request.headers["content-type"] ?? "";
  switch (type.split(";", 1)[0]?.trim().toLowerCase()) {
    case "message/rfc822":
      return readRaw(post);
    case "application/json":
      return readJson(post);
    // SNS calls its JSON so.
    case "text/plain":
      return readNotification(post);
    case "multipart/form-data":
      return readForm(type, post.bytes, post);
    case "application/x-www-form-urlencoded":
      return readForm(type, counted(post), post);
    default:
      throw new HttpError(415, "Send a mail as message/rfc822, or in a form that docs/inbound.md names.");
  }
};

const reasonOf = ({ status, text }: SmtpReply): string => `${status} ${text}`;

/** Answers for all recipients: tried again where one has to wait, refused where nobody gets the mail. */
const send = (reply: FastifyReply, service: Service, answers: readonly RecipientAnswer[]): FastifyReply => {
  const refusals = answers.flatMap(({ refusal }) => refusal ?? []);
  const later = refusals.find(({ code }) => code < 500);
  const [first] = refusals;
  const recipients = answers.map(({ recipient, refusal }) =>
    refusal ? { recipient, result: "refused", reason: reasonOf(refusal) } : { recipient, result: "stored" },
  );
  if (later)
    return reply
      .code(503)
      .header("retry-after", String(retryAfterS))
      .send({ message: reasonOf(later), recipients });
  if (first && refusals.length === answers.length)
    return reply.code(finalStatus[service]).send({ message: reasonOf(first), recipients });
  return reply.send({ recipients });
};

/**
 * Registers POST /inbound/:secret, where a provider hands over mail that it has received (docs/inbound.md). It answers 200 only
 * when a mail is stored, and 503 when the provider has to try again.
 */
export const inboundRoutes =
  ({ secret, signingKey, intake, clock, getFromPublicHost: get }: InboundDeps) =>
  (fastify: FastifyInstance): void => {
    const room = createWholeRoom();
    constrainBySecret(fastify, secret);
    fastify.removeAllContentTypeParsers();
    fastify.addContentTypeParser("*", (_request, body, done) => done(null, body));
    fastify.post("/inbound/:secret", { constraints: { [matchBySecret]: true } }, async (request, reply) => {
      const content = intake.beginContent(0);
      const whole = room.open();
      const check =
        signingKey && beginSignatureCheck(signingKey, { headers: request.headers, now: clock.now(), get });
      try {
        const bytes = bytesOf(request.body as Readable, check);
        const read = await readPost({ request, bytes, content, takeRoom: whole.take });
        if (signingKey && !(read.service === signingKey.service && (await check?.isSigned(read.texts))))
          throw notSigned();
        const { service, sender, recipients, subscribeUrl } = read;
        if (subscribeUrl) {
          await subscribe(subscribeUrl, get);
          return reply.send({ recipients });
        }
        if (recipients.length === 0) throw new UseCaseError("invalid", "The mail has no recipient.");
        whole.close();
        return send(reply, service, await intake.take({ by: "HTTP", sender, recipients, content }));
      } finally {
        whole.close();
        content.discard();
        // What is left of a refused post is read, so that its sender gets the answer.
        (request.body as Readable | undefined)?.resume();
      }
    });
  };
