import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import type { RuleAction } from "../../../core/rules/model/action.ts";
import { createMailMetrics } from "../../../server/app/mailMetrics/mailMetrics.ts";
import {
  measureSubmission,
  measureTransactions,
} from "../../../server/app/mailMetrics/measuredTransactions.ts";
import { reasonOf } from "../../../server/app/mailMetrics/refusalReasons.ts";
import * as ofReplies from "../../../server/features/replies/replyRefusals.ts";
import type { MailContent } from "../../../server/platform/spool/mailContent.ts";
import * as refusals from "../../../server/relay/decision/refusals.ts";
import { localError, tooLarge, tooManyConnections } from "../../../server/smtp/smtpReplies.ts";
import type { SmtpTransaction } from "../../../server/smtp/smtpTransaction.ts";
import { onEachDatabase } from "../support/databases.ts";
import { startListener } from "../support/listener.ts";
import { addMask, addOwner } from "../support/owners.ts";
import { plainMail } from "../support/plainMail.ts";
import { addRuledMask } from "../support/ruledMask.ts";

const parameters = { size: 0, isNullSender: false, sender: "a@b.example", remoteAddress: "192.0.2.1" };
const envelope = {
  sender: "a@b.example",
  helo: "b.example",
  remoteAddress: "192.0.2.1",
  protocol: "ESMTP",
  smtpUtf8: false,
  receivedAt: 0,
} as const;

const contentOf = (text: string): MailContent => {
  const head = Buffer.from(text);
  return { head, size: head.length, chunks: () => [head] };
};

describe("The metrics of arriving mail", () => {
  it("have a reason for each refusal of a mail, of a closed set", () => {
    for (const [name, reply] of Object.entries(refusals)) expect(reasonOf(reply), name).to.not.equal("other");
    const { unprovenReply, wrongLogin, unknownReverseAddress } = ofReplies;
    const publicUrl = "https://mail.example";
    expect(reasonOf(ofReplies.answerOf(unprovenReply, publicUrl))).to.equal("reply");
    expect(reasonOf(ofReplies.answerOf(wrongLogin, publicUrl))).to.equal("login");
    expect(reasonOf({ ...ofReplies.answerOf(unknownReverseAddress, publicUrl), isGuess: true })).to.equal(
      "unknown_address",
    );
    expect(reasonOf(tooManyConnections)).to.equal("connections");
    expect(reasonOf({ code: 550, status: "5.0.0", text: "for ada@home.example" })).to.equal("other");
  });

  it("count what a dialog accepts and refuses, and time its answers", async () => {
    const registry = new Registry();
    const metrics = createMailMetrics(registry);
    const inner: SmtpTransaction = {
      onRecipient: (address) => (address.startsWith("ada") ? null : Promise.resolve(refusals.unknownMask)),
      onMail: async ({ content }) => {
        if (content.size === 0) throw new Error("a defect");
        return content.size > 5 ? refusals.refusedAsSpam : null;
      },
      end: () => {},
    };
    const begin = measureTransactions(() => inner, metrics, "relay");
    const transaction = begin(parameters);
    expect(await transaction.onRecipient("ada@masks.example")).to.equal(null);
    expect(await transaction.onRecipient("eve@masks.example")).to.equal(refusals.unknownMask);
    expect(await transaction.onMail({ envelope, content: contentOf("mail") })).to.equal(null);
    expect(await transaction.onMail({ envelope, content: contentOf("spam, spam") })).to.equal(
      refusals.refusedAsSpam,
    );
    const failure = await transaction
      .onMail({ envelope, content: contentOf("") })
      .catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error);
    transaction.onContentRefused?.(tooLarge);
    const { authenticate } = measureSubmission({ authenticate: async () => localError }, metrics);
    expect(await authenticate({ user: "ada", password: "wrong" }, "192.0.2.1")).to.equal(localError);
    const text = await registry.metrics();
    for (const line of [
      'bauta_mails_accepted_total{service="relay"} 1',
      'bauta_mails_accepted_total{service="submission"} 0',
      'bauta_smtp_refusals_total{service="relay",at="recipient",reason="unknown_address"} 1',
      'bauta_smtp_refusals_total{service="relay",at="content",reason="spam"} 1',
      'bauta_smtp_refusals_total{service="relay",at="content",reason="error"} 1',
      'bauta_smtp_refusals_total{service="relay",at="content",reason="too_large"} 1',
      'bauta_smtp_refusals_total{service="submission",at="login",reason="error"} 1',
      'bauta_smtp_reply_seconds_count{to="recipient"} 2',
      'bauta_smtp_reply_seconds_count{to="content"} 3',
      'bauta_smtp_reply_seconds_count{to="login"} 1',
    ])
      expect(text).to.contain(`${line}\n`);
  });

  onEachDatabase(({ database }) => {
    it("count what becomes of stored mail at each mask", async () => {
      const registry = new Registry();
      const metrics = createMailMetrics(registry);
      const relay = await startListener(database(), undefined, { metrics });
      const { db } = database();
      const owner = await addOwner(db);
      const drop: RuleAction = { type: "block", params: { silentBlock: true } };
      const masks = [await addMask(db, owner), await addRuledMask(db, owner, drop)];
      const client = await relay.connect();
      const reply = await client.mail(
        "orders@shop.example",
        masks.map(({ email }) => email),
        plainMail,
      );
      await relay.close();
      expect(reply).to.match(/^250/);
      const text = await registry.metrics();
      expect(text).to.contain('bauta_mask_mails_total{outcome="forwarded"} 1');
      expect(text).to.contain('bauta_mask_mails_total{outcome="blocked"} 1');
      expect(text).to.contain('bauta_mask_mails_total{outcome="held"} 0');
    });
  });
});
