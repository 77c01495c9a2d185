import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { type SenderEnvelope, unjudged } from "../../../../server/proof/evidence.ts";
import { createRspamd } from "../../../../server/relay/evaluate/rspamd.ts";
import { createSpamFilter } from "../../../../server/relay/evaluate/spamFilter.ts";
import { pour } from "../../support/pour.ts";

const mail = Buffer.from("From: ada@shop.example\r\n\r\nHello\r\n");
const envelope: SenderEnvelope = {
  sender: "ada@shop.example",
  helo: "mx.shop.example",
  remoteAddress: "192.0.2.1",
};

interface RspamdRequest {
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

describe("The spam filter with rspamd", () => {
  let requests: readonly RspamdRequest[];
  let answer: { status: number; body: string } | "silence" | "endless";
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      requests = [
        ...requests,
        { url: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() },
      ];
      if (answer === "silence") return;
      if (answer === "endless") {
        pour(response);
        return;
      }
      response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body);
    });
  });

  before((listening) => void server.listen(0, "127.0.0.1", listening));
  after((closed) => {
    server.closeAllConnections();
    server.close(closed);
  });
  beforeEach(() => {
    requests = [];
  });

  const judge = (of = envelope, withinMs = 500) =>
    createSpamFilter(createRspamd(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, withinMs))(
      mail,
      of,
      { ...unjudged("none"), authors: 0, hasDate: false },
    );

  const verdict = (action: string, symbols: Readonly<Record<string, number>> = {}): typeof answer => ({
    status: 200,
    body: JSON.stringify({
      is_skipped: false,
      score: 17.3,
      required_score: 15,
      action,
      symbols: Object.fromEntries(Object.entries(symbols).map(([name, score]) => [name, { name, score }])),
    }),
  });

  it("sends rspamd the whole mail and its connection, and not the recipient", async () => {
    answer = verdict("no action");
    await judge();
    const [{ url, headers, body } = { url: "", headers: {}, body: "" }] = requests;
    expect([url, body]).to.deep.equal(["/checkv2", mail.toString()]);
    expect(headers).to.include({ ip: "192.0.2.1", helo: "mx.shop.example", from: "ada@shop.example" });
    expect(headers).not.to.have.any.keys("rcpt", "user", "deliver-to");
  });

  it("uses the verdict of rspamd, and its three reasons with the highest scores", async () => {
    answer = verdict("reject", { BAYES_SPAM: 5.1, DKIM_ALLOW: -0.2, RBL_X: 7, MISSING_DATE: 1, FORGED: 2 });
    expect(await judge()).to.include({ by: "rspamd", rating: "spam", score: 17.3, spamThreshold: 15 });
    expect((await judge()).reasons).to.deep.equal(["RBL_X", "BAYES_SPAM", "FORGED"]);
    for (const [action, rating] of [
      ["discard", "spam"],
      ["add header", "likely-spam"],
      ["rewrite subject", "likely-spam"],
      ["quarantine", "likely-spam"],
      ["no action", "clean"],
      ["greylist", "clean"],
      ["soft reject", "clean"],
      ["an action of its own", "clean"],
    ] as const) {
      answer = verdict(action);
      expect((await judge()).rating, action).to.equal(rating);
    }
  });

  it("uses its own score when rspamd fails, does not answer or sends an invalid answer", async () => {
    const odd: readonly (typeof answer)[] = [
      { status: 500, body: "" },
      { status: 200, body: "not JSON" },
      { status: 200, body: '{"score":"many"}' },
      "silence",
      "endless",
    ];
    for (answer of odd) {
      const judgement = await judge();
      expect(judgement, JSON.stringify(answer)).to.include({ by: "bauta", score: 4, rating: "clean" });
      expect(judgement.reasons).to.deep.equal(["no sender", "no date"]);
    }
  });

  it("uses rspamd for any EHLO name and any sender of a client", async () => {
    answer = verdict("reject");
    for (const odd of ["\u0007\ud800x", "a\r\nb: c", "日本.example"])
      expect(await judge({ ...envelope, helo: odd, sender: odd }), odd).to.have.property("by", "rspamd");
    expect(await judge({ ...envelope, helo: false, sender: "" })).to.have.property("by", "rspamd");
  });
});
