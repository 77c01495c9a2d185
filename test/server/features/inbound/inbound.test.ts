import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { connect } from "node:net";
import { expect } from "chai";
import { minuteMs } from "../../../../core/kernel/durations.ts";
import type { Db } from "../../../../server/platform/store/database.ts";
import { maxMailBytes } from "../../../../server/smtp/smtpLimits.ts";
import { createTestAuthority } from "../../support/certificates.ts";
import { addMask, addOwner } from "../../support/owners.ts";
import { readQueue } from "../../support/queue.ts";
import { type ServerOptions, startServer, type TestServer } from "../../support/startServer.ts";

const secret = "a-secret-that-nobody-guesses-0";
const sender = "orders@shop.example";
const mail = "From: Shop <orders@shop.example>\r\nSubject: Hello\r\n\r\nHello.\r\n";
/** A mail whose bytes are no UTF-8. */
const latin1Mail = Buffer.from(`${mail}caf\xe9 \x80\r\n`, "latin1");

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly json: { readonly message?: string; readonly recipients?: readonly Record<string, string>[] };
}

type Fields = Readonly<Record<string, string | Buffer>>;

/** Writes a form by hand, because a client's own would decode its fields. */
const multipart = (fields: Fields) => {
  const boundary = "----part";
  const parts = Object.entries(fields).flatMap(([name, value]) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`),
    Buffer.from(value),
    Buffer.from("\r\n"),
  ]);
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
  };
};

const percentEncoded = (value: string | Buffer): string =>
  [...Buffer.from(value)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

const urlEncoded = (fields: Fields) => ({
  type: "application/x-www-form-urlencoded; charset=utf-8",
  body: Buffer.from(
    Object.entries(fields)
      .map(([name, value]) => `${name}=${percentEncoded(value)}`)
      .join("&"),
  ),
});

const mailgun = (to: string, content: string | Buffer = mail): Fields => ({
  recipient: to,
  "body-mime": content,
  sender,
  from: "Shop <orders@shop.example>",
  subject: "Hello",
});
const sendGrid = (to: readonly string[], content: string | Buffer = mail): Fields => ({
  dkim: "{@shop.example : pass}",
  email: content,
  to: "someone else <a@b.example>",
  envelope: JSON.stringify({ to, from: sender }),
  charsets: '{"to":"UTF-8"}',
});
const postmark = (to: string, content = mail) => ({
  FromName: "Shop",
  From: sender,
  OriginalRecipient: to,
  TextBody: "Hello.",
  RawEmail: content,
  Attachments: [],
});
const json = (value: unknown) => ({ type: "application/json", body: Buffer.from(JSON.stringify(value)) });

/** A server that takes mail from a service, with a mask. */
const useInbound = (options: Partial<ServerOptions["inbound"]> = {}, more: ServerOptions = {}) => {
  let server: TestServer;
  let mask: string;
  beforeEach(async () => {
    server = await startServer({ ...more, inbound: { secret, signingKey: null, ...options } });
    mask = await aMask();
  });
  afterEach(() => server.stop());
  const db = (): Db => server.database.db;
  const aMask = async (active = true): Promise<string> => {
    const { email } = await addMask(db(), await addOwner(db(), "self_hosted"), {
      active,
      email: `m${Math.random()}@masks.test`,
    });
    return email;
  };
  const post = async (
    path: string,
    body: string | Buffer,
    headers: Readonly<Record<string, string>>,
  ): Promise<Answered> => {
    const answer = await fetch(`${server.origin}${path}`, {
      method: "POST",
      headers,
      body: new Uint8Array(Buffer.from(body)),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, json: JSON.parse(text) };
  };
  return {
    server: () => server,
    mask: () => mask,
    aMask,
    post,
    raw: (to: readonly string[], content: string | Buffer = mail, from = sender) =>
      post(
        `/inbound/${secret}?${new URLSearchParams([["from", from], ...to.map((one) => ["to", one])])}`,
        content,
        {
          "content-type": "message/rfc822",
        },
      ),
    form: ({ type, body }: { type: string; body: Buffer }, headers: Readonly<Record<string, string>> = {}) =>
      post(`/inbound/${secret}`, body, { "content-type": type, ...headers }),
    queued: () => readQueue(db()),
  };
};

describe("Mail that a service hands over by HTTP", () => {
  const inbound = useInbound();

  it("is forwarded as mail by SMTP is, and answered when it is stored", async () => {
    const { status, json: answer } = await inbound.raw([inbound.mask()]);
    expect([status, answer]).to.deep.equal([
      200,
      { recipients: [{ recipient: inbound.mask(), result: "stored" }] },
    ]);
    const [queued] = await inbound.queued();
    expect(queued?.content.toString())
      .to.contain("Hello.\r\n")
      .and.match(/^X-Bauta-Sender: unproven\r$/m);
  });

  for (const [name, write] of [
    ["Mailgun, as a form of parts", (to: string) => multipart(mailgun(to, latin1Mail))],
    ["Mailgun, URL-encoded", (to: string) => urlEncoded(mailgun(to, latin1Mail))],
    ["SendGrid", (to: string) => multipart(sendGrid([to], latin1Mail))],
  ] as const)
    it(`comes in the form of ${name}, without a changed byte`, async () => {
      const { status } = await inbound.form(write(inbound.mask()));
      expect(status).to.equal(200);
      const [queued] = await inbound.queued();
      expect(queued?.content.includes(Buffer.from("caf\xe9 \x80\r\n", "latin1"))).to.equal(true);
    });

  it("comes in the JSON of Postmark, whose mail says who has sent it", async () => {
    for (const content of [mail, `Return-Path: <>\r\n${mail}`])
      expect((await inbound.form(json(postmark(inbound.mask(), content)))).status).to.equal(200);
    const senders = (await inbound.queued()).map(({ envelope_sender }) => envelope_sender === "");
    expect(senders).to.deep.equal([false, true]);
  });

  it("comes for several recipients; the service learns which of them do not exist", async () => {
    const other = await inbound.aMask();
    const { status, json: answer } = await inbound.raw([inbound.mask(), "nobody@masks.test", other]);
    expect(status).to.equal(200);
    expect(answer.recipients?.map(({ result, reason }) => reason ?? result)).to.deep.equal([
      "stored",
      "5.1.1 No such address here",
      "stored",
    ]);
    expect(await inbound.queued()).to.have.lengthOf(2);
    expect((await inbound.form(multipart(sendGrid([inbound.mask(), other])))).status).to.equal(200);
    expect(await inbound.queued()).to.have.lengthOf(4);
  });

  it("is refused with a reason for masks that do not exist, with the status after which each service gives up", async () => {
    const to = "nobody@masks.test";
    const off = await inbound.aMask(false);
    const reasons = async (answer: Promise<Answered>) => {
      const { status, json: said } = await answer;
      return [status, said.message];
    };
    const unknown = "5.1.1 No such address here";
    expect(await reasons(inbound.raw([to]))).to.deep.equal([422, unknown]);
    expect(await reasons(inbound.form(json(postmark(to))))).to.deep.equal([403, unknown]);
    expect(await reasons(inbound.form(urlEncoded(mailgun(to))))).to.deep.equal([406, unknown]);
    expect(await reasons(inbound.form(multipart(sendGrid([to]))))).to.deep.equal([422, unknown]);
    expect((await inbound.raw([off])).status).to.equal(422);
    expect((await inbound.raw(["a@elsewhere.example"])).status).to.equal(422);
    expect(await inbound.queued()).to.have.lengthOf(0);
  });

  it("is to be tried again later, and is not stored, while a recipient gets too much", async () => {
    for (let n = 0; n < 60; n += 1) await inbound.raw([inbound.mask()]);
    const other = await inbound.aMask();
    const { status, headers } = await inbound.raw([inbound.mask(), other]);
    expect([status, Number(headers.get("retry-after"))]).to.deep.equal([503, 300]);
    expect(await inbound.queued()).to.have.lengthOf(60);
  });

  it("is to be tried again later while the store fails", async () => {
    await inbound.server().database.db.schema.dropTable("queue").execute();
    expect((await inbound.raw([inbound.mask()])).status).to.equal(503);
  });

  it("is refused for good above the size of mail by SMTP, in every form", async () => {
    const large = Buffer.concat([Buffer.from(mail), Buffer.alloc(maxMailBytes, "a")]);
    expect((await inbound.raw([inbound.mask()], large)).status).to.equal(422);
    expect((await inbound.form(multipart(mailgun(inbound.mask(), large)))).status).to.equal(406);
    expect((await inbound.form(json(postmark(inbound.mask(), "a".repeat(45_000_000))))).status).to.equal(429);
    expect((await inbound.raw([inbound.mask()])).status, "the next one").to.equal(200);
    expect(await inbound.queued()).to.have.lengthOf(1);
  });

  it("of megabytes arrives", async () => {
    const large = Buffer.concat([Buffer.from(mail), Buffer.from("Hello.\r\n".repeat(500_000))]);
    for (const answer of [
      inbound.raw([inbound.mask()], large),
      inbound.form(multipart(mailgun(inbound.mask(), large))),
      inbound.form(json(postmark(inbound.mask(), large.toString()))),
    ])
      expect((await answer).status).to.equal(200);
  });

  it("leaves nothing where the connection ends before it has come as a whole", async () => {
    const { port } = inbound.server();
    const head = `POST /inbound/${secret}?from=a@b.example&to=${inbound.mask()} HTTP/1.1\r\nHost: x\r\n`;
    for (const type of ["message/rfc822", "multipart/form-data; boundary=x", "application/json"]) {
      const socket = connect(port, "127.0.0.1");
      socket.end(`${head}Content-Type: ${type}\r\nContent-Length: 1000\r\n\r\n${mail}`);
      await new Promise((resolve) => socket.on("close", resolve).resume());
    }
    expect(await inbound.queued()).to.have.lengthOf(0);
    expect((await inbound.raw([inbound.mask()])).status).to.equal(200);
  });
});

describe("A post to the address for mail", () => {
  const inbound = useInbound();
  const path = `/inbound/${secret}`;
  const rfc822 = { "content-type": "message/rfc822" };

  for (const [name, type, body] of [
    ["a mail without its envelope", "message/rfc822", mail],
    ["JSON that is none", "application/json", "{"],
    ["JSON of something else", "application/json", "[]"],
    [
      "Postmark's JSON without the raw mail",
      "application/json",
      JSON.stringify({ ...postmark("a@b.example"), RawEmail: undefined }),
    ],
    [
      "Postmark's JSON with more values than a mail has",
      "application/json",
      JSON.stringify({ ...postmark("a@b.example"), Headers: Array(30_000).fill(0) }),
    ],
    ["a form without a boundary", "multipart/form-data", "x"],
    ["a form that is none", "multipart/form-data; boundary=x", "x"],
    [
      "a form that is cut off",
      "multipart/form-data; boundary=----part",
      multipart(mailgun("m@masks.test")).body.subarray(0, 150),
    ],
    [
      "a form without a mail",
      "application/x-www-form-urlencoded",
      "recipient=a@b.example&sender=c@d.example",
    ],
    [
      "a form with two mails",
      "application/x-www-form-urlencoded",
      "body-mime=a&email=b&recipient=a@b.example&sender=&envelope={}",
    ],
    [
      "a form with a mail twice",
      "application/x-www-form-urlencoded",
      "body-mime=a&body-mime=b&recipient=a@b.example&sender=",
    ],
    [
      "a form with two senders",
      "application/x-www-form-urlencoded",
      "body-mime=a&recipient=a@b.example&sender=&sender=b",
    ],
    ["a form of 200 fields", "application/x-www-form-urlencoded", "a=b&".repeat(200)],
    [
      "Mailgun's form without a sender",
      "application/x-www-form-urlencoded",
      "body-mime=a&recipient=a@b.example",
    ],
    [
      "Mailgun's form without a recipient",
      "application/x-www-form-urlencoded",
      "body-mime=a&recipient=&sender=b@c.example",
    ],
    ["a notification that is none", "text/plain", mail],
    [
      "a notification without a mail",
      "text/plain",
      JSON.stringify({ Type: "Notification", Message: JSON.stringify({ notificationType: "Bounce" }) }),
    ],
    [
      "a subscription elsewhere",
      "text/plain",
      JSON.stringify({
        Type: "SubscriptionConfirmation",
        Message: "",
        SubscribeURL: "https://sns.eu-west-1.amazonaws.com.attacker.example/",
      }),
    ],
    ["SendGrid's form with a broken envelope", "application/x-www-form-urlencoded", "email=a&envelope={"],
  ] as const)
    it(`with ${name} gets 400, and the next one is read`, async () => {
      const answer = await inbound.post(path, Buffer.from(body), { "content-type": type });
      expect(answer.status).to.equal(400);
      expect(answer.json.message).to.be.a("string");
      expect((await inbound.raw([inbound.mask()])).status).to.equal(200);
    });

  it("gets 415 for anything else, and 422 where an address could be more than one", async () => {
    expect((await inbound.post(path, mail, { "content-type": "text/html" })).status).to.equal(415);
    for (const bad of ["a@b.example> SIZE=1", "a@b.example\r\nRCPT TO:<c@d.example>", "nobody"]) {
      expect((await inbound.raw([inbound.mask()], mail, bad)).status, bad).to.equal(422);
      expect((await inbound.raw([bad])).status, bad).to.equal(422);
    }
  });

  it("is the same as one to any unknown address where the secret is wrong", async () => {
    const ways = [
      rfc822,
      { "content-type": "application/json" },
      { "content-type": "multipart/form-data; boundary=x" },
      { ...rfc822, accept: "text/html" },
    ];
    for (const headers of ways)
      for (const wrong of [
        "/inbound/",
        "/inbound/wrong",
        `/inbound/${secret}x`,
        `/inbound/${secret}/`,
        `/inbound/${secret.toUpperCase()}`,
        `/inbound/%61${secret.slice(1)}`,
      ]) {
        const body = headers["content-type"] === "application/json" ? "{}" : mail;
        const url = (one: string) => `${inbound.server().origin}${one}?from=a@b.example&to=${inbound.mask()}`;
        const [one, other] = await Promise.all(
          [wrong, "/nothing/here"].map((at) => fetch(url(at), { method: "POST", headers, body })),
        );
        expect(one?.status, wrong).to.equal(other?.status);
        const told = ({ headers: all }: Response) =>
          [...all].filter(([name]) => !/^(?:date|content-security-policy|content-length)$/.test(name));
        if (one && other) expect(told(one), wrong).to.deep.equal(told(other));
      }
    const { origin } = inbound.server();
    for (const method of ["GET", "PUT", "DELETE", "OPTIONS"]) {
      const [one, other] = await Promise.all(
        [path, "/nothing/here"].map((at) => fetch(`${origin}${at}`, { method })),
      );
      expect(one?.status, method).to.equal(other?.status);
    }
  });

  it("leaves the secret and the addresses in no line of the log", async () => {
    await inbound.raw([inbound.mask()]);
    await inbound.raw(["nobody@masks.test"]);
    await inbound.post(path, "x", { "content-type": "multipart/form-data; boundary=x" });
    await inbound.post(`/inbound/${secret}x`, mail, rfc822);
    const lines = inbound.server().logged.join("\n");
    expect(lines).to.contain("/inbound/:secret");
    for (const hidden of [secret, sender, inbound.mask(), "nobody@masks.test"])
      expect(lines, hidden).not.to.contain(hidden);
  });

  it("leads nowhere while no secret is set", async () => {
    const without = await startServer();
    const answer = await fetch(`${without.origin}/inbound/`, { method: "POST" });
    expect(answer.status).to.equal(404);
    await without.stop();
  });
});

describe("A service that signs", () => {
  const key = "key-0123456789abcdef";
  const inbound = useInbound({ signingKey: { service: "mailgun", key } });
  const signed = (timestamp: number, by = key): Fields => ({
    ...mailgun(inbound.mask()),
    timestamp: String(timestamp),
    token: "t".repeat(50),
    signature: createHmac("sha256", by)
      .update(`${timestamp}${"t".repeat(50)}`)
      .digest("hex"),
  });
  const now = (): number => Math.floor(inbound.server().clock.now() / 1_000);

  it("is believed where the signature is right and recent", async () => {
    expect((await inbound.form(multipart(signed(now())))).status).to.equal(200);
    expect((await inbound.form(urlEncoded(signed(now() - 8 * 3_600)))).status, "the last try").to.equal(200);
  });

  it("is not believed where it is wrong, old, missing, or where another service could not sign", async () => {
    for (const form of [
      multipart(signed(now(), "another-key-0123456")),
      multipart(signed(now() - 13 * 3_600)),
      multipart({ ...signed(now()), signature: "" }),
      multipart({ ...signed(now()), token: "x" }),
      multipart(mailgun(inbound.mask())),
      multipart({ ...sendGrid([inbound.mask()]), ...{ timestamp: "1", token: "t", signature: "00" } }),
      json(postmark(inbound.mask())),
    ])
      expect((await inbound.form(form)).status).to.equal(403);
    expect((await inbound.raw([inbound.mask()])).status).to.equal(403);
    expect(await inbound.queued()).to.have.lengthOf(0);
  });
});

describe("SendGrid's signature", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = publicKey.export({ type: "spki", format: "der" }).toString("base64");
  const inbound = useInbound({ signingKey: { service: "sendgrid", key } });

  const headersFor = (body: Buffer, seconds: number) => ({
    "x-twilio-email-event-webhook-timestamp": String(seconds),
    "x-twilio-email-event-webhook-signature": sign(
      "sha256",
      Buffer.concat([Buffer.from(String(seconds)), body]),
      privateKey,
    ).toString("base64"),
  });
  const now = (): number => Math.floor(inbound.server().clock.now() / 1_000);

  it("covers the whole post", async () => {
    const form = multipart(sendGrid([inbound.mask()]));
    const headers = headersFor(form.body, now());
    expect((await inbound.form(form, headers)).status).to.equal(200);
    const changed = Buffer.from(form.body.toString().replace("Hello.", "Hallo."));
    expect((await inbound.form({ ...form, body: changed }, headers)).status).to.equal(403);
    expect((await inbound.form(form)).status).to.equal(403);
    expect(
      (await inbound.form(form, headersFor(form.body, now() - 4 * 24 * 60 * (minuteMs / 1_000)))).status,
    ).to.equal(403);
    expect(
      (await inbound.form(form, { ...headers, "x-twilio-email-event-webhook-signature": "x" })).status,
    ).to.equal(403);
  });

  it("is not replaced by an HMAC with the public key, as Mailgun's is made", async () => {
    const [timestamp, token] = [String(now()), "t".repeat(50)];
    const signature = createHmac("sha256", key).update(`${timestamp}${token}`).digest("hex");
    const form = multipart({ ...mailgun(inbound.mask()), timestamp, token, signature });
    expect((await inbound.form(form)).status).to.equal(403);
  });
});

describe("Amazon SES, which posts by SNS", () => {
  const topic = "arn:aws:sns:eu-west-1:123456789012:mail";
  const certificateUrl = "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem";
  const { cert, key } = createTestAuthority().issue("sns.eu-west-1.amazonaws.com");
  const opened: string[] = [];
  let isAway = false;
  const inbound = useInbound(
    { signingKey: { service: "ses", key: topic } },
    {
      getFromPublicHost: async ({ url }) => {
        opened.push(url);
        if (isAway) return { failure: "timeout" };
        return { status: 200, bytes: Buffer.from(url.endsWith(".pem") ? cert : "<xml/>"), isCut: false };
      },
    },
  );
  beforeEach(() => {
    opened.length = 0;
    isAway = false;
  });

  type Post = Readonly<Record<string, string>>;
  const signedFields = (post: Post): string =>
    ["Message", "MessageId", "Subject", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"]
      .flatMap((name) => (post[name] === undefined ? [] : `${name}\n${post[name]}\n`))
      .join("");
  const notification = (more: Post = {}): Post => ({
    Type: "Notification",
    MessageId: "5c2f",
    TopicArn: topic,
    Subject: "Amazon SES Email Receipt Notification",
    Message: JSON.stringify({
      notificationType: "Received",
      mail: { source: sender, destination: ["someone@else.example"] },
      receipt: { recipients: [inbound.mask()], action: { type: "SNS", encoding: "BASE64" } },
      content: latin1Mail.toString("base64"),
    }),
    Timestamp: new Date(inbound.server().clock.now()).toISOString(),
    SignatureVersion: "2",
    SigningCertURL: certificateUrl,
    ...more,
  });
  const post = (fields: Post, changes: Post = {}) => {
    const digest = fields["SignatureVersion"] === "1" ? "sha1" : "sha256";
    const signature = sign(digest, Buffer.from(signedFields(fields)), key).toString("base64");
    const body = Buffer.from(JSON.stringify({ ...fields, Signature: signature, ...changes }));
    return inbound.form({ type: "text/plain; charset=UTF-8", body });
  };

  it("hands over a mail without a changed byte, signed in both ways that it knows", async () => {
    for (const version of ["1", "2"])
      expect((await post(notification({ SignatureVersion: version }))).status, version).to.equal(200);
    for (const { content } of await inbound.queued())
      expect(content.includes(Buffer.from("caf\xe9 \x80\r\n", "latin1"))).to.equal(true);
    expect(await inbound.queued()).to.have.lengthOf(2);
  });

  it("is told that its mail is wanted, where the topic is the one that was named", async () => {
    const { Subject: _, ...rest } = notification();
    const subscribeUrl = "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=x";
    const question = { ...rest, Type: "SubscriptionConfirmation", Token: "x", SubscribeURL: subscribeUrl };
    expect((await post(question)).status).to.equal(200);
    expect(opened).to.deep.equal([certificateUrl, subscribeUrl]);
    expect((await post({ ...question, TopicArn: `${topic}2` })).status).to.equal(403);
  });

  it("is not believed where a signature is wrong, old, of another topic, or by a certificate from elsewhere", async () => {
    const at = (ms: number) => new Date(inbound.server().clock.now() + ms).toISOString();
    for (const [fields, changes] of [
      [notification(), { Subject: "changed" }],
      [notification(), { Signature: "" }],
      [notification({ Timestamp: at(-3 * 60 * minuteMs) }), {}],
      [notification({ Timestamp: "yesterday" }), {}],
      [notification({ TopicArn: `${topic}2` }), {}],
      [notification({ SigningCertURL: "https://sns.eu-west-1.amazonaws.com.attacker.example/x.pem" }), {}],
      [notification({ SigningCertURL: "http://sns.eu-west-1.amazonaws.com/x.pem" }), {}],
      [notification({ SigningCertURL: "https://sns.eu-west-1.amazonaws.com/other" }), {}],
      [
        notification({
          SigningCertURL: "https://sns.eu-west-1.amazonaws.com/?Action=GetEndpointAttributes&x=.pem",
        }),
        {},
      ],
      [notification({ SigningCertURL: `${certificateUrl}?Action=GetEndpointAttributes&x=.pem` }), {}],
    ] as const)
      expect((await post(fields, changes)).status).to.equal(403);
    expect(await inbound.queued()).to.have.lengthOf(0);
  });

  it("tries again where its certificate cannot be fetched", async () => {
    isAway = true;
    expect((await post(notification())).status).to.equal(503);
  });
});
