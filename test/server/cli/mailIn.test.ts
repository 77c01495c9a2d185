import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect } from "chai";
import { cryptoRandom, systemClock } from "../../../adapters/system/clockAndRandom.ts";
import { askMailIn, settingsOfMailIn } from "../../../server/cli/mailIn.ts";
import type { Settings } from "../../../server/platform/config/settingsFile.ts";
import { freePort } from "../../support/freePort.ts";

const url = "https://masks.example.org";
const mailbox = "imaps://all%40example.org@imap.example.org:993/INBOX";

describe("The question how mail comes in", () => {
  /** Answers questions in order, empty with what is offered, and says what was asked and what came of it. */
  const setup = async (now: Settings, mailServer: number, answers: readonly string[]) => {
    const asked: string[] = [];
    const left = [...answers];
    const options: Settings = { "mail-server": `127.0.0.1:${mailServer}` };
    const mailIn = await askMailIn(
      {
        positionals: [],
        text: (option) => options[option],
        flag: () => false,
        terminal: {
          isInteractive: true,
          print: () => {},
          progress: () => {},
          ask: async (question, byDefault) => {
            asked.push(`${question} [${byDefault}]`);
            return left.shift() || byDefault;
          },
          askSecret: async (question) => {
            asked.push(question);
            return left.shift() ?? "";
          },
        },
        environment: {},
        clock: systemClock,
        random: cryptoRandom,
      },
      now,
      url,
    );
    return { asked, settings: settingsOfMailIn(mailIn, true, now, cryptoRandom) };
  };
  const openPort = async (): Promise<number> => {
    const server = createServer((socket) => socket.end("220 mail.example ESMTP\r\n"));
    await once(server.listen(0, "127.0.0.1").unref(), "listening");
    return (server.address() as AddressInfo).port;
  };

  it("offers a mailbox where port 25 seems closed, and asks for its password", async () => {
    const { asked, settings } = await setup({}, await freePort(), ["", mailbox, "s3cret"]);
    expect(asked[0]).to.match(/^Port 25 is closed to the outside here.* \[mailbox\]$/);
    expect(asked.slice(1)).to.deep.equal([
      "Mailbox (imaps://user@host:993/INBOX, @ in the user as %40) []",
      "Its password",
    ]);
    expect(settings).to.include({ IMAP_URL: mailbox, IMAP_PASSWORD: "s3cret", SMTP_PORT: undefined });
  });

  it("offers port 25 where it is open, and removes what belongs to other ways", async () => {
    const { asked, settings } = await setup({}, await openPort(), [""]);
    expect(asked).to.have.lengthOf(1);
    expect(asked[0]).to.match(/^Can this machine receive on port 25\?.* \[port25\]$/);
    expect(settings).to.include({ SMTP_PORT: "25", INBOUND_SECRET: undefined, IMAP_URL: undefined });
  });

  it("offers what was chosen before, with its password", async () => {
    const now = { IMAP_URL: mailbox, IMAP_PASSWORD: "s3cret" };
    const { asked, settings } = await setup(now, await freePort(), ["", ""]);
    expect(asked.map((question) => question.slice(question.lastIndexOf("[")))).to.deep.equal([
      "[mailbox]",
      `[${mailbox}]`,
    ]);
    expect(settings).to.include({ IMAP_URL: mailbox, IMAP_PASSWORD: "s3cret" });
  });

  it("leaves the other ways of an installation that has several, while the answer stays the same", async () => {
    const now = {
      IMAP_URL: mailbox,
      IMAP_PASSWORD: "s3cret",
      SMTP_PORT: "25",
      INBOUND_SECRET: "x".repeat(32),
    };
    const { settings } = await setup(now, await freePort(), ["", ""]);
    expect(settings).not.to.have.any.keys("SMTP_PORT", "SMTP_HOST", "INBOUND_SECRET");
  });
});
