import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { expect } from "chai";
import { minuteMs } from "../../../core/kernel/durations.ts";
import { ConnectionPool } from "../../../server/delivery/client/connectionPool.ts";
import type { ServerAddress } from "../../../server/delivery/client/openConnection.ts";
import type { DeliveryOutcome } from "../../../server/delivery/transport.ts";
import { skipWithout } from "../../support/missing.ts";
import { type Behavior, startMisbehavingServer } from "../support/misbehavingServer.ts";
import { useTemporaryFolder } from "../support/temporaryFolder.ts";
import { until } from "../support/until.ts";

const content = Buffer.from("Subject: x\r\n\r\n.a line with a dot\r\nbody\r\n");

const [impatientMs, patientMs] = [200, minuteMs];

interface Trial {
  readonly outcomes: readonly (readonly DeliveryOutcome[])[];
  readonly heard: readonly string[];
  readonly connections: number;
}

interface TrialOptions {
  readonly address?: Partial<ServerAddress>;
  readonly recipients?: readonly string[];
  /** Number of mails to send, one after the other. */
  readonly mails?: number;
  /** Whether all mails are handed in at once. */
  readonly isBurst?: boolean;
  /** Whether the next mail waits until the connection of the one before is closed. */
  readonly waitsForEnd?: boolean;
  /** Whether the connection counts as idle before each mail. */
  readonly isIdle?: boolean;
  /** Whether the server is expected to keep the client waiting, which gives up soon then. */
  readonly hangs?: boolean;
}

/** Sends mails to a server with this behavior. */
const trial = async (behavior: Behavior, options: TrialOptions = {}): Promise<Trial> => {
  const { address, recipients = ["a@home.example"], mails = 1, waitsForEnd = false } = options;
  const server = await startMisbehavingServer(behavior);
  const timeoutMs = options.hangs ? impatientMs : patientMs;
  const pool = new ConnectionPool(
    {
      host: "127.0.0.1",
      port: server.port,
      tls: "offered",
      isVerified: false,
      credentials: null,
      ownName: "masks.example",
      timeouts: {
        connectMs: timeoutMs,
        greetingMs: timeoutMs,
        commandMs: timeoutMs,
        blockMs: timeoutMs,
        contentMs: timeoutMs,
        idleMs: patientMs,
        freshMs: options.isIdle ? 0 : patientMs,
      },
      ...address,
    },
    1,
  );
  const outcomes: (readonly DeliveryOutcome[])[] = [];
  const chunks = () => [content];
  const send = () => pool.send({ sender: "b@m.example", recipients, size: content.length, chunks });
  try {
    if (options.isBurst) outcomes.push(...(await Promise.all(Array.from({ length: mails }, send))));
    else
      for (let mail = 0; mail < mails; mail += 1) {
        outcomes.push(await send());
        if (waitsForEnd) await until("the connection is closed", () => server.open() === 0);
      }
  } finally {
    pool.abort();
    await server.close();
  }
  return { outcomes, heard: server.heard, connections: server.connections() };
};

const kinds = ({ outcomes }: Trial): string =>
  outcomes
    .flat()
    .map(({ kind }) => kind)
    .join();
const answer = ({ outcomes }: Trial): string => outcomes[0]?.[0]?.answer ?? "";

/** Accepts all commands up to the one that starts with `command`, which gets `reply`. */
const answering =
  (command: string, reply: string, extensions: readonly string[] = []): Behavior =>
  async (visit) => {
    await visit.hello(...extensions);
    for (let line = await visit.line(); line !== null; line = await visit.line()) {
      if (line.startsWith(command)) {
        visit.say(`${reply}\r\n`);
        break;
      }
      visit.say(line === "DATA" ? "354 go on\r\n" : "250 fine\r\n");
      if (line === "DATA") await visit.content();
    }
    await visit.serve();
  };

const afterContent =
  (what: (visit: Parameters<Behavior>[0]) => Promise<unknown>): Behavior =>
  async (visit) => {
    await visit.hello("PIPELINING");
    await visit.until("DATA");
    visit.say("250 fine\r\n250 fine\r\n354 go on\r\n");
    await visit.content();
    await what(visit);
  };

describe("A next hop that", () => {
  const temporary = async (behavior: Behavior, words: RegExp, options?: TrialOptions): Promise<void> => {
    const tried = await trial(behavior, options);
    expect(kinds(tried)).to.equal("temporary");
    expect(answer(tried)).to.match(words);
  };

  describe("starts the session wrongly makes the mail wait:", () => {
    it("1. it sends nothing", () => temporary((visit) => visit.hang(), /^ETIMEDOUT: /, { hangs: true }));

    it("2. it closes the connection at once", () => temporary(async () => {}, /^ECONNECTION: /));

    it("3. it greets with 554", () =>
      temporary(async (visit) => {
        visit.say("554 no service\r\n");
        await visit.hang();
      }, /^EPROTOCOL: .*554 no service/));

    it("4. it greets with 421", () =>
      temporary(async (visit) => {
        visit.say("421 too busy\r\n");
        await visit.hang();
      }, /421 too busy/));

    it("5. it answers like a web server", () =>
      temporary(async (visit) => {
        visit.say("HTTP/1.1 400 Bad Request\r\n\r\n");
        await visit.hang();
      }, /^EPROTOCOL: /));

    it("6. its reply has an endless number of lines", () =>
      temporary(async (visit) => {
        for (let count = 0; count < 1_000; count += 1) visit.say("220-and another thing\r\n");
        await visit.hang();
      }, /no end/));

    it("7. its line is endless", () =>
      temporary(async (visit) => {
        visit.say(`220 ${"x".repeat(100_000)}`);
        await visit.hang();
      }, /no end/));

    it("8. its reply has two different codes", () =>
      temporary(async (visit) => {
        visit.say("220-welcome\r\n554 or not\r\n");
        await visit.hang();
      }, /^EPROTOCOL: /));
  });

  it("9. does not know EHLO gets the mail after HELO, one command at a time", async () => {
    const tried = await trial(async (visit) => {
      visit.say("220 old.example\r\n");
      await visit.line();
      visit.say("502 what?\r\n");
      await visit.serve();
    });
    expect(kinds(tried)).to.equal("delivered");
    expect(tried.heard.slice(1, 4)).to.deep.equal([
      "HELO masks.example",
      "MAIL FROM:<b@m.example>",
      "RCPT TO:<a@home.example>",
    ]);
  });

  it("10. answers byte by byte gets the mail", async () => {
    const tried = await trial(async (visit) => {
      const say = async (text: string): Promise<void> => {
        for (const byte of text) {
          visit.say(byte);
          await turn();
        }
      };
      await say("220 slow.example\r\n");
      for (let line = await visit.line(); line !== null; line = await visit.line()) {
        await say(line === "DATA" ? "354 go\r\n" : "250-so\r\n250 far\r\n");
        if (line !== "DATA") continue;
        await visit.content();
        await say("250 taken\r\n");
      }
    });
    expect(kinds(tried)).to.equal("delivered");
  });

  it("11. does not answer MAIL makes the mail wait", () =>
    temporary(
      async (visit) => {
        await visit.hello();
        await visit.hang();
      },
      /^ETIMEDOUT: /,
      { hangs: true },
    ));

  it("12. answers MAIL, RCPT or DATA with 421 makes the mail wait", async () => {
    for (const command of ["MAIL", "RCPT", "DATA"])
      await temporary(answering(command, "421 4.3.2 shutting down"), /^421 4\.3\.2 /);
  });

  it("13. refuses MAIL or the content permanently makes the mail fail", async () => {
    expect(kinds(await trial(answering("MAIL", "550 5.7.1 no")))).to.equal("permanent");
    const tried = await trial(
      afterContent(async (visit) => {
        visit.say("552-5.3.4 too large\r\n552 5.3.4 for us\r\n");
        await visit.serve();
      }),
    );
    expect(kinds(tried)).to.equal("permanent");
    expect(answer(tried)).to.equal("552 5.3.4 too large for us");
  });

  it("14. refuses some recipients has its answer recorded for each recipient", async () => {
    for (const extensions of [[], ["PIPELINING"], ["PIPELINING", "CHUNKING"]]) {
      const tried = await trial(
        async (visit) => {
          await visit.hello(...extensions);
          for (let line = await visit.line(); line !== null; line = await visit.line()) {
            if (line.includes("none@")) visit.say("550 5.1.1 none\r\n");
            else if (line.includes("later@")) visit.say("450 4.2.1 later\r\n");
            else if (line === "DATA") {
              visit.say("354 go\r\n");
              await visit.content();
              visit.say("250 taken\r\n");
            } else if (line.startsWith("BDAT"))
              await visit.until("body").then(() => visit.say("250 taken\r\n"));
            else visit.say("250 fine\r\n");
          }
        },
        { recipients: ["none@home.example", "later@home.example", "some@home.example"] },
      );
      expect(kinds(tried), extensions.join()).to.equal("permanent,temporary,delivered");
    }
  });

  it("15. asks for the content although it refused all recipients gets no content", async () => {
    const tried = await trial(async (visit) => {
      await visit.hello("PIPELINING");
      await visit.until("DATA");
      visit.say("250 fine\r\n550 5.1.1 no\r\n354 go on\r\n");
      expect(await visit.line()).to.equal(".");
      visit.say("554 5.5.1 no valid recipients\r\n");
      await visit.serve();
    });
    expect(kinds(tried)).to.equal("permanent");
    expect(tried.heard.join()).to.not.include("Subject");
  });

  it("16. disconnects, hangs or answers 421 after the content makes the mail wait and is not retried at once", async () => {
    for (const [what, hangs] of [
      [async () => {}, false],
      [(visit: Parameters<Behavior>[0]) => visit.hang(), true],
      [
        async (visit: Parameters<Behavior>[0]) => {
          visit.say("421 4.3.0 disk full\r\n");
          await visit.hang();
        },
        false,
      ],
    ] as const) {
      const tried = await trial(afterContent(what), { hangs });
      expect(kinds(tried)).to.equal("temporary");
      expect(tried.heard.filter((line) => line.startsWith("DATA"))).to.have.lengthOf(1);
    }
  });

  it("16a. disconnects after it has read envelope and content together makes the mail wait", async () => {
    let contents = 0;
    const tried = await trial(
      async (visit) => {
        await visit.hello("PIPELINING", "CHUNKING");
        for (const isAnswered of [true, false]) {
          await visit.until("BDAT");
          await visit.until("Subject");
          contents += 1;
          if (isAnswered) visit.say("250 fine\r\n250 fine\r\n250 taken\r\n");
        }
      },
      { mails: 2 },
    );
    expect([kinds(tried), contents, tried.connections]).to.deep.equal(["delivered,temporary", 2, 1]);
  });

  it("16b. closes a connection while it is idle gets the content of the next mail once, over a new one", async () => {
    const tried = await trial(
      async (visit, index) => {
        await visit.hello("PIPELINING", "CHUNKING");
        await visit.until("RCPT");
        visit.say("250 fine\r\n250 fine\r\n");
        await visit.until("Subject");
        visit.say("250 taken\r\n");
        if (index === 0) await visit.until("MAIL");
        else await visit.hang();
      },
      { mails: 2, isIdle: true },
    );
    expect([kinds(tried), tried.connections]).to.deep.equal(["delivered,delivered", 2]);
    expect(tried.heard.filter((line) => line.startsWith("Subject"))).to.have.lengthOf(2);
  });

  it("17. disconnects between two mails gets the second over a new connection", async () => {
    const tried = await trial(
      async (visit) => {
        await visit.hello("PIPELINING");
        await visit.until("DATA");
        visit.say("250 fine\r\n250 fine\r\n354 go on\r\n");
        await visit.content();
        visit.say("250 taken\r\n");
      },
      { mails: 3, waitsForEnd: true },
    );
    expect(kinds(tried)).to.equal("delivered,delivered,delivered");
    expect(tried.connections).to.equal(3);
  });

  it("18. sends 421 to the second mail, or unsolicited, gets it over a new connection", async () => {
    for (const isUnasked of [false, true]) {
      const tried = await trial(
        async (visit) => {
          await visit.hello("PIPELINING");
          await visit.until("DATA");
          visit.say("250 fine\r\n250 fine\r\n354 go on\r\n");
          await visit.content();
          visit.say("250 taken\r\n");
          if (!isUnasked) await visit.line();
          visit.say("421 4.4.2 idle for too long\r\n");
          await visit.hang();
        },
        { mails: 2, waitsForEnd: isUnasked },
      );
      expect(kinds(tried), String(isUnasked)).to.equal("delivered,delivered");
      expect(tried.connections).to.equal(2);
    }
  });

  it("19. refuses a recipient gets the next mail over the same connection after RSET", async () => {
    for (const extensions of [["PIPELINING"], ["PIPELINING", "CHUNKING"]]) {
      let mails = 0;
      const tried = await trial(
        async (visit) => {
          await visit.hello(...extensions);
          let isOpen = false;
          for (let line = await visit.line(); line !== null; line = await visit.line()) {
            if (line === "RSET") isOpen = false;
            if (line.startsWith("MAIL")) {
              visit.say(isOpen ? "503 nested\r\n" : "250 fine\r\n");
              isOpen = true;
              mails += 1;
            } else if (line.startsWith("RCPT")) visit.say(mails === 1 ? "550 5.1.1 no\r\n" : "250 fine\r\n");
            else if (line.startsWith("BDAT")) {
              await visit.until("body");
              visit.say(mails === 1 ? "503 5.5.1 no recipient\r\n" : "250 taken\r\n");
            } else if (line === "DATA") {
              visit.say(mails === 1 ? "503 5.5.1 no recipient\r\n" : "354 go on\r\n");
              if (mails === 1) continue;
              await visit.content();
              visit.say("250 taken\r\n");
            } else visit.say("250 fine\r\n");
          }
        },
        { mails: 2 },
      );
      expect(kinds(tried), extensions.join()).to.equal("permanent,delivered");
      expect(tried.connections).to.equal(1);
    }
  });

  describe("refuses what is written before it has answered the content", () => {
    /**
     * Offers PIPELINING, and answers 503 to each command behind a content. `early` are the mails after whose content the
     * client had written more; the first mail of a connection is answered when it has.
     */
    const refusing =
      (early: number[], extensions: readonly string[] = ["PIPELINING"]): Behavior =>
      async (visit, index) => {
        await visit.hello(...extensions);
        let contents = 0;
        const answerContent = async (last: string): Promise<void> => {
          contents += 1;
          for (let turns = 0; turns < 20; turns += 1) await turn();
          const isFirst = index === 0 && contents === 1;
          if (!isFirst && visit.hasMore()) early.push(contents);
          const refused = isFirst || visit.hasMore() ? await visit.until(last) : [];
          if (last === "BDAT" && refused.length > 0) await visit.until("body");
          visit.say(`250 taken\r\n${"503 5.5.1 Bad sequence of commands\r\n".repeat(refused.length)}`);
        };
        for (let line = await visit.line(); line !== null; line = await visit.line())
          if (line === "DATA") {
            visit.say("354 go on\r\n");
            await visit.content();
            await answerContent("DATA");
          } else if (line.startsWith("BDAT")) {
            await visit.until("body");
            await answerContent("BDAT");
          } else visit.say("250 fine\r\n");
      };

    for (const extensions of [["PIPELINING"], ["PIPELINING", "CHUNKING"]])
      it(`20. gets it again at once, and from then on only after each answer (${extensions.join(", ")})`, async () => {
        const early: number[] = [];
        const tried = await trial(refusing(early, extensions), { mails: 6, isBurst: true });
        expect(kinds(tried)).to.equal(Array(6).fill("delivered").join());
        expect([early, tried.connections]).to.deep.equal([[], 1]);
        expect(tried.heard.filter((line) => line.startsWith("RCPT"))).to.have.lengthOf(7);
      });

    it("21. gets a mail again whose first command it has read in part only", async () => {
      let mails = 0;
      const tried = await trial(
        async (visit) => {
          await visit.hello("PIPELINING");
          for (let line = await visit.line(); line !== null; line = await visit.line()) {
            if (line === "DATA") {
              mails += 1;
              visit.say("354 go on\r\n");
              await visit.content();
              if (mails === 1) await visit.until("DATA");
              const refused = mails === 1 ? "500 what?\r\n503 no sender\r\n503 no sender\r\n" : "";
              visit.say(`250 taken\r\n${refused}`);
            } else visit.say("250 fine\r\n");
          }
        },
        { mails: 2, isBurst: true },
      );
      expect([kinds(tried), mails]).to.deep.equal(["delivered,delivered", 2]);
    });

    it("22. has a 503 recorded that it gives to a command with nothing before it", async () => {
      const tried = await trial(async (visit) => {
        await visit.hello("PIPELINING");
        await visit.until("DATA");
        visit.say("503 5.5.1 not now\r\n".repeat(3));
        await visit.hang();
      });
      expect(kinds(tried)).to.equal("temporary");
      expect(tried.heard.filter((line) => line.startsWith("MAIL"))).to.have.lengthOf(1);
    });
  });

  describe("misuses TLS", () => {
    const folder = useTemporaryFolder();
    let certificate = { cert: "", key: "" };
    beforeEach(function () {
      if (spawnSync("openssl", ["version"]).error) skipWithout(this, "openssl");
      const at = (name: string): string => join(folder(), name);
      const subject = ["-subj", "/CN=elsewhere.example", "-addext", "subjectAltName=DNS:elsewhere.example"];
      const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
      const args = ["req", "-x509", ...curve, "-keyout", at("key"), "-out", at("cert"), ...subject];
      execFileSync("openssl", args, { stdio: "ignore" });
      certificate = { cert: readFileSync(at("cert"), "utf8"), key: readFileSync(at("key"), "utf8") };
    });

    const required = { address: { tls: "required", isVerified: true, host: "localhost" } } as const;
    const inTls: Behavior = async (visit) => {
      await visit.hello("STARTTLS");
      await visit.until("STARTTLS");
      visit.say("220 ready\r\n");
      visit.secure(certificate);
      await visit.serve();
    };

    it("23. and omits or refuses STARTTLS gets nothing of a mail that requires TLS", async () => {
      for (const behavior of [
        answering("NEVER", ""),
        answering("STARTTLS", "454 4.7.0 not now", ["STARTTLS"]),
      ]) {
        const tried = await trial(behavior, required);
        expect(kinds(tried)).to.equal("temporary");
        expect(answer(tried)).to.match(/^ETLS: /);
        expect(tried.heard.join()).to.not.match(/MAIL|RCPT/);
      }
    });

    it("24. and injects replies before the TLS handshake has them ignored", async () => {
      const injecting: Behavior = async (visit) => {
        await visit.hello("STARTTLS");
        await visit.until("STARTTLS");
        visit.say("220 ready\r\n250-evil.example\r\n250 SIZE 1\r\n");
        visit.secure(certificate);
        await visit.serve();
      };
      const tried = await trial(injecting, required);
      expect(kinds(tried)).to.equal("temporary");
      expect(tried.heard.join()).to.not.match(/MAIL|RCPT/);
    });

    it("25. and has an invalid certificate gets only mail that does not require a valid one", async () => {
      const tried = await trial(inTls, required);
      expect(kinds(tried)).to.equal("temporary");
      expect(tried.heard.join()).to.not.match(/MAIL|RCPT/);
      expect(kinds(await trial(inTls))).to.equal("delivered");
    });

    it("26. and breaks the handshake gets the mail without TLS if that is allowed", async () => {
      const breaking: Behavior = async (visit, index) => {
        await visit.hello("STARTTLS");
        if (index > 0) return visit.serve();
        await visit.until("STARTTLS");
        visit.say("220 ready\r\n");
        await visit.heard();
        visit.say("no handshake at all\r\n");
        return visit.hang();
      };
      const tried = await trial(breaking);
      expect(kinds(tried)).to.equal("delivered");
      expect(tried.connections).to.equal(2);
      expect(kinds(await trial(breaking, required))).to.equal("temporary");
    });
  });
});
