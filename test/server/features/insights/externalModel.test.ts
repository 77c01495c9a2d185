import { createServer, type Server } from "node:http";
import { expect } from "chai";
import { createClassifier } from "../../../../core/insights/classification/classifier.ts";
import type { ParsedMail } from "../../../../core/mail/parsedMail.ts";
import {
  createClassifyMail,
  createExternalModel,
} from "../../../../server/features/insights/classification.ts";
import type { Consent, MailRoute } from "../../../../server/relay/mailRoute.ts";

const message: ParsedMail = {
  from: { name: "Shop", address: "orders@shop.example" },
  to: ["ada@masks.example"],
  subject: "Your invoice",
  headers: [
    { name: "from", value: "Shop <orders@shop.example>" },
    { name: "list-unsubscribe", value: "<https://shop.example/u?who=ada>" },
  ],
  text: "Dear Ada, the body is nobody's business.",
  htmlText: null,
  isTextCut: false,
  attachments: [],
};

const classifiedHere = createClassifier()({ ...message, traits: [] });

const features = {
  categorization: true,
  summaries: false,
  prioritization: false,
  enhancedFiltering: true,
  contentRules: false,
  processAttachments: false,
  processLinks: false,
};

describe("An external model", () => {
  let server: Server;
  let answer: () => { status: number; body: string };
  let seen: { url: string | undefined; authorization: string | undefined; body: string }[] = [];
  let url = "";
  let now = 0;

  beforeEach(async () => {
    seen = [];
    now = 0;
    answer = () => ({
      status: 200,
      body: JSON.stringify({ choices: [{ message: { content: "Social." } }] }),
    });
    server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => {
        body += String(chunk);
      });
      request.on("end", () => {
        seen.push({ url: request.url, authorization: request.headers.authorization, body });
        const { status, body: said } = answer();
        response.writeHead(status, { "content-type": "application/json" }).end(said);
      });
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/v1`;
  });
  afterEach(() => new Promise((closed) => server.close(closed)));

  const make = () => {
    const external = createExternalModel({ url, model: "small", key: "k" }, { now: () => now });
    const categoryOf = createClassifyMail({
      external,
      readHabits: async () => ({ masks: 0, earlierMails: 0 }),
    });
    const ask = (consent: Consent | null, mail = message) =>
      categoryOf({ ...mail }, { consent } as MailRoute, new Uint8Array());
    return { ask, agreed: { features, externalModel: external.host } };
  };

  it("gets only subject and kind of mails, and only of users who agreed to it", async () => {
    const { ask, agreed } = make();
    expect(await ask(agreed)).to.equal("social");
    expect(seen).to.have.lengthOf(1);
    expect(seen[0]?.url).to.equal("/v1/chat/completions");
    expect(seen[0]?.authorization).to.equal("Bearer k");
    expect(seen[0]?.body).to.include("Your invoice").and.include("list-unsubscribe");
    expect(seen[0]?.body).not.to.match(/shop\.example|ada@|business/);
  });

  it("gets nothing of users who agreed to no model, to another model, or to no access at all", async () => {
    const { ask, agreed } = make();
    expect(await ask({ ...agreed, externalModel: null })).to.equal(classifiedHere);
    expect(await ask({ ...agreed, externalModel: "other.example" })).to.equal(classifiedHere);
    expect(await ask({ ...agreed, features: { ...features, categorization: false } })).to.equal(null);
    expect(await ask(null)).to.equal(null);
    expect(seen).to.deep.equal([]);
  });

  it("is replaced by the local classifier when it fails, and gets no request for a minute", async () => {
    const { ask, agreed } = make();
    answer = () => ({ status: 500, body: "{}" });
    expect(await ask(agreed)).to.equal(classifiedHere);
    expect(await ask(agreed)).to.equal(classifiedHere);
    expect(seen).to.have.lengthOf(1);
    now += 60_000;
    await ask(agreed);
    expect(seen).to.have.lengthOf(2);
  });

  it("is replaced by the local classifier when its answer is no category", async () => {
    const { ask, agreed } = make();
    answer = () => ({
      status: 200,
      body: JSON.stringify({ choices: [{ message: { content: "I cannot tell" } }] }),
    });
    expect(await ask(agreed)).to.equal(classifiedHere);
  });
});
