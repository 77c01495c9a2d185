import { expect } from "chai";
import fc from "fast-check";
import { smtpReply } from "../../../server/smtp/smtpReplies.ts";
import { longTestMs } from "../../support/limits.ts";
import { type Front, startFront } from "../support/front.ts";
import { type ReferenceFront, startReferenceFront } from "../support/referenceFront.ts";
import { connectSmtp } from "../support/smtpClient.ts";

/** Number of dialogs; a longer run with FRONT_DIALOGS=40000 has passed. */
const dialogs = Number(process.env["FRONT_DIALOGS"] ?? 400);
const atOnce = 40;

const isRefused = (address: string): boolean => address.startsWith("nobody");

/** Command lines of a client, valid and invalid, the valid ones more often. */
const line = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("EHLO client.example", "HELO client.example", "ehlo x") },
  {
    weight: 10,
    arbitrary: fc.constantFrom(
      "MAIL FROM:<a@b.example>",
      "MAIL FROM:<>",
      "mail from:<a@b.example> size=100",
      "MAIL FROM: <a@b.example> BODY=8BITMIME SMTPUTF8",
      "MAIL FROM:<@relay.example,@other.example:a@b.example>",
      "MAIL FROM:<user..name.@carrier.example>",
    ),
  },
  {
    weight: 12,
    arbitrary: fc.constantFrom(
      "RCPT TO:<mask@masks.example>",
      "rcpt to:<other@masks.example>",
      "RCPT TO: <Mask@Masks.example>",
      "RCPT TO:<nobody@masks.example>",
      "RCPT TO:<postmaster>",
      "RCPT TO:<jörg@masks.example>",
    ),
  },
  { weight: 10, arbitrary: fc.constantFrom("DATA", "data") },
  { weight: 4, arbitrary: fc.constantFrom("RSET", "NOOP", "noop hello", "VRFY a", "VRFY", "QUIT") },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      "MAIL FROM:<a@b.example",
      "MAIL FROM:<a b@c.example>",
      "MAIL FROM:<a@b.example>x",
      "MAIL <a@b.example>",
      "MAIL",
      "MAIL FROM:<a@b.example> SIZE=x",
      "MAIL FROM:<a@b.example> SIZE=",
      "MAIL FROM:<a@b.example> SIZE=99999999",
      "MAIL FROM:<a@b.example> SIZE=1 SIZE=2",
      "MAIL FROM:<a@b.example> BODY=BINARYMIME",
      "MAIL FROM:<a@b.example> SMTPUTF8=1",
      "MAIL FROM:<a@b@c.example>",
      "MAIL FROM:<a\u0001@b.example>",
      "RCPT TO:<>",
      "RCPT TO:<mask>",
      "RCPT TO:<mask@>",
      "RCPT TO:<@masks.example>",
      "RCPT FROM:<mask@masks.example>",
      "EHLO",
      "EHLO two words",
      "HELO",
      " EHLO x",
      "NOPE",
      "",
      "EXPN list",
      "MAIL\tFROM:<a@b.example>",
    ),
  },
);

const content = fc
  .array(
    fc.constantFrom("text\r\n", ".\r", "..\r\n", "...dots\r\n", "\n..\n", "\n.\r\n", "\r\n", "a\0b", "ü\r\n"),
    {
      maxLength: 12,
    },
  )
  .map((parts) => `Subject: x\r\n\r\n${parts.join("")}\r\n.\r\n`);

const dialog = fc.array(fc.record({ line, content }), { minLength: 1, maxLength: 12 });

type Dialog = readonly { readonly line: string; readonly content: string }[];

/** Returns code and status of a reply; of a greeting and of 354 the code alone. */
const codes = (reply: string): string =>
  /^\d{3}(?:[ -]\d\.\d\.\d+)?/.exec(reply)?.[0].replace("-", " ") ?? reply;

/** Runs a dialog with a server and returns the codes of all its replies. */
const speak = async (port: number, said: Dialog): Promise<readonly string[]> => {
  const client = await connectSmtp(port, "");
  const heard: string[] = [];
  try {
    for (const { line, content } of said) {
      const reply = await client.say(line);
      heard.push(codes(reply));
      if (!reply.startsWith("354")) continue;
      client.write(Buffer.from(content));
      heard.push(codes(await client.reply()));
    }
  } catch {
    heard.push("closed");
  } finally {
    client.destroy();
  }
  return heard;
};

/** The accepted differences, as the codes of Bauta and of smtp-server, with the reason. */
const listed: Readonly<Record<string, string>> = {
  "501 5.5.4 | 501": "a refused EHLO has a status like every refusal (RFC 2034, 3)",
  "502 5.5.1 | 500 5.5.2": "EXPN is a command of RFC 5321 that is not implemented (4.2.4)",
};

/** Ends the dialog where smtp-server continues: the client sent more before the answer to DATA (RFC 2920, 3.1). */
const unsynchronized = "554 5.5.0";

const isSame = (ours: readonly string[], theirs: readonly string[]): boolean => {
  const end = ours.indexOf(unsynchronized);
  return ours
    .slice(0, end < 0 ? Math.max(ours.length, theirs.length) : end)
    .every((answer, index) => answer === theirs[index] || `${answer} | ${theirs[index]}` in listed);
};

describe("Any SMTP dialog with a client", () => {
  let front: Front;
  let reference: ReferenceFront;

  before(async () => {
    front = await startFront({
      onRecipient: (address) => (isRefused(address) ? smtpReply(550, "5.1.1", "no") : null),
    });
    reference = await startReferenceFront(isRefused);
  });
  after(async () => {
    await front.close();
    await reference.close();
  });

  it("gets the same answers as from smtp-server", async function () {
    this.timeout(longTestMs);
    const said = fc.sample(dialog, dialogs);
    const different: string[] = [];
    const waiting = said.values();
    const one = async (): Promise<void> => {
      for (const spoken of waiting) {
        const [ours, theirs] = await Promise.all([speak(front.port, spoken), speak(reference.port, spoken)]);
        if (isSame(ours, theirs)) continue;
        different.push(
          `${JSON.stringify(spoken)}\n  ours: ${ours.join(", ")}\n  smtp-server: ${theirs.join(", ")}`,
        );
      }
    };
    await Promise.all(Array.from({ length: atOnce }, one));
    expect(front.mails.length).to.equal(reference.mails.length);
    expect(different.slice(0, 5).join("\n")).to.equal("");
  });
});
