import { expect } from "chai";
import { dayMs, hourMs, minuteMs } from "../../../../core/kernel/durations.ts";
import type { DeferralReason } from "../../../../core/operator/providerAnswer.ts";
import { readAnswer, readWait } from "../../../../server/delivery/direct/rateAnswer.ts";
import { toStorableAnswer } from "../../../../server/delivery/smtpAnswer.ts";

/** Answers of providers: the text, what it means, and whether the provider is left alone for a while. */
const answers: readonly (readonly [text: string, reason: DeferralReason | null, pauses: boolean])[] = [
  [
    "421 4.7.28 [203.0.113.42] Our system has detected an unusual rate of unsolicited mail originating from your IP address. To protect our users from spam, mail sent from your IP address has been temporarily rate limited.",
    "volume",
    true,
  ],
  [
    "421 4.7.28 Gmail has detected an unusual rate of unsolicited mail originating from your SPF domain [masks.example]. To protect our users from spam, mail sent from your domain has been temporarily rate limited.",
    "volume",
    true,
  ],
  ["421 4.7.0 Our system has detected an unusual rate of unsolicited mail", "volume", true],
  [
    "421 4.7.0 This message is suspicious due to the very low reputation of the sending IP address. To protect our users from spam, mail sent from your IP address has been temporarily deferred",
    "reputation",
    true,
  ],
  ["421 4.7.0 Try again later, closing connection. (EHLO) a640c23a62f3a-gsmtp", "busy", true],
  [
    "421 4.7.26 Your email has been rate limited because it is unauthenticated. Gmail requires all senders to authenticate with either SPF or DKIM.",
    "authentication",
    false,
  ],
  [
    "421 4.7.29 Your email has been rate limited because this message wasn't sent over a TLS connection.",
    "tls",
    false,
  ],
  [
    "421 4.7.25 [203.0.113.42] The IP address sending this message does not have a PTR record setup",
    "reverseName",
    false,
  ],
  [
    "450 4.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered. Please resend your message at a later time.",
    null,
    false,
  ],
  ["452 4.2.2 The recipient's inbox is out of storage space.", null, false],
  [
    "421 4.7.0 [TSS04] Messages from 203.0.113.42 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1; see https://postmaster.yahooinc.com/error-codes",
    "complaints",
    true,
  ],
  [
    "421 4.7.0 [TSS11] All messages from 203.0.113.42 will be permanently deferred; Retrying will NOT succeed.",
    "other",
    true,
  ],
  [
    "451 4.7.650 The mail server [203.0.113.42] has been temporarily rate limited due to IP reputation. For e-mail delivery information, see https://postmaster.live.com (S775)",
    "reputation",
    true,
  ],
  [
    "451 4.7.651 The mail server [203.0.113.42] has been temporarily rate limited due to IP reputation. (S3114)",
    "reputation",
    true,
  ],
  ["451 4.7.500 Server busy. Please try again later from [203.0.113.42]. (S77719)", "busy", true],
  [
    "550 5.7.1 Unfortunately, messages from [203.0.113.42] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3140).",
    "listed",
    false,
  ],
  ["451 4.7.1 Greylisting in action, please come back in 00:05:00", "greylisting", false],
  ["450 4.7.1 Greylisted, try again in 300 seconds", "greylisting", false],
  ["451 4.3.0 Mail server temporarily rejected message. Try again in 5 minutes", "busy", true],
  ["421 too many concurrent SMTP connections; please try again later", "busy", true],
  [
    "554 5.7.1 Service unavailable; Client host [203.0.113.42] blocked using zen.spamhaus.org",
    "listed",
    false,
  ],
  ["421 mi027.mcc1.mail.example closing connection", "other", true],
  ["550 5.7.1 The message is refused by a policy", "other", false],
  ["550 5.1.1 The email account that you tried to reach does not exist", null, false],
  ["451 4.3.0 Temporary system problem", null, false],
  ["ETIMEDOUT: no answer", null, false],
  ["250 2.0.0 OK", null, false],
];

describe("The answers of large providers", () => {
  for (const [text, reason, pauses] of answers)
    it(`are read: ${text.slice(0, 70)}`, () => {
      const read = readAnswer(toStorableAnswer(text));
      expect(read?.reason ?? null).to.equal(reason);
      expect(read?.asksForPause ?? false).to.equal(pauses);
    });

  it("name a time in many ways, which is taken within ten seconds and a day", () => {
    const waits: readonly (readonly [string, number | null])[] = [
      ["450 try again in 300 seconds", 300_000],
      ["450 please retry in 5 minutes", 5 * minuteMs],
      ["450 rate limited, wait 2 hours", 2 * hourMs],
      ["450 Retry after 90s", 90_000],
      ["450 deferred for 10 min.", 10 * minuteMs],
      ["450 try again in 1 second", 10_000],
      ["450 try again in 999999 hours", dayMs],
      ["450 try again later", null],
      ["450 4.7.1 limit of 50 mails", null],
    ];
    for (const [text, ms] of waits) expect(readWait(text), text).to.equal(ms);
    expect(readAnswer("452 4.5.3 Too many mails, try again in 5 minutes")).to.deep.equal({
      reason: "volume",
      asksForPause: true,
      waitMs: 5 * minuteMs,
    });
  });
});
