import { expect } from "chai";
import { parseBounceReport } from "../../../../server/delivery/bounceReports/bounceReport.ts";
import { asSent, onInputs } from "../../../support/corpora.ts";
import { failures, notUnderstood, withoutFailure } from "./bounceForms.ts";

const read = (content: string) => parseBounceReport(Buffer.from(content));

describe("A report of a failed delivery", () => {
  it("is read in forty forms, with the answer and the recipient that they name", () => {
    expect(Object.keys(failures)).to.have.length.of.at.least(40);
    for (const [name, { content, answer }] of Object.entries(failures)) {
      const report = read(content);
      if (report.kind !== "failure") expect.fail(`${name}: ${report.kind}`);
      expect(report.answer.slice(0, answer.length || 1), name).to.equal(answer);
      if (content.includes("owner@home")) expect(report.recipients, name).to.include("owner@home.example");
      if (content.includes("<returned@"))
        expect(report.messageIds, name).to.include("<returned@masks.example>");
    }
  });

  it("has the answer about its first recipient, not the name of the next one", () => {
    const lines = [
      "  a@home.example",
      "    mx: 550 5.1.1 nobody,",
      "    not here",
      "  b@home.example",
      "    mx: 552 x",
    ];
    const report = read(
      `X-Failed-Recipients: a@home.example,\r\n b@home.example\r\n\r\n${lines.join("\r\n")}\r\n`,
    );
    expect(report).to.deep.include({
      answer: "550 5.1.1 nobody, not here",
      recipients: ["a@home.example", "b@home.example"],
    });
  });

  it("is told from a delay, a delivery, a note of absence and a receipt", () => {
    for (const [name, content] of Object.entries(withoutFailure))
      expect(read(content).kind, name).to.equal("no-failure");
  });

  it("is not made up where a mail says nothing that is understood", () => {
    for (const [name, content] of Object.entries(notUnderstood))
      expect(read(content).kind, name).to.equal("not-understood");
  });

  it("is read from its first 256 kB, however long the returned mail is", () => {
    const { content, answer } = failures["Exim"] ?? { content: "", answer: "" };
    const report = read(`${content}${"x".repeat(998)}\r\n`.padEnd(2_000_000, "line\r\n"));
    expect(report).to.deep.include({ kind: "failure", answer });
  });
});

describe("Reports in the formats of other servers", () => {
  onInputs(["bounces"], ({ areSamples, files }) => {
    it("are read as failures, unless they are about a delay", () => {
      const answers = files("bounces").map(({ name, content }) => {
        const report = parseBounceReport(asSent(content));
        return [name, report.kind === "failure" ? report.answer.replace(/ .*/, "") : null];
      });
      expect(Object.fromEntries(answers)).to.deep.equal(
        areSamples
          ? {
              "delayed.eml": null,
              "full-mailbox.eml": "552",
              "two-recipients.eml": "550",
              "unknown-mailbox.eml": "550",
            }
          : {
              "delayed_dsn.raw": null,
              "dsn_with_multipart_alternative.raw": "550",
              "multi_recipient_dsn.raw": "550",
              "simple_dsn.raw": "426",
              "simple_dsn_with_html.raw": "426",
            },
      );
    });
  });
});

describe("Bounces of many servers", () => {
  onInputs(["bouncesOfManyServers"], ({ files }) => {
    it("are understood, 95 of 100 at least", () => {
      const mails = files("bouncesOfManyServers").map(({ name, content }) => ({
        name,
        kind: parseBounceReport(asSent(content)).kind,
      }));
      const unread = mails.filter(({ kind }) => kind === "not-understood").map(({ name }) => name);
      expect(unread.length, unread.join(", ")).to.be.at.most(mails.length * 0.05);
    });
  });
});
