import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { expect } from "chai";
import { systemClock } from "../../../../adapters/system/clockAndRandom.ts";
import { answerWithinMs, openImapMailbox } from "../../../../server/features/mailbox/imapMailbox.ts";
import { MailboxError, type OpenMailbox } from "../../../../server/features/mailbox/mailbox.ts";
import { maxMailBytes } from "../../../../server/smtp/smtpLimits.ts";
import { createVirtualClock, settled } from "../../../fakes/virtualClock.ts";
import { named } from "../../../support/domainNames.ts";

/** What a server says to a command, before it says that it is done; null where it never is. */
type Answers = (command: string, socket: Socket) => string | null | undefined;

const selected = [
  "* 3 EXISTS",
  "* OK [UIDVALIDITY 7] ok",
  "* OK [UIDNEXT 4] ok",
  "* OK [PERMANENTFLAGS (\\Deleted \\*)] ok",
  "",
].join("\r\n");

const usual: Answers = (command) => {
  if (command.startsWith("CAPABILITY")) return "* CAPABILITY IMAP4rev1 UIDPLUS MOVE IDLE\r\n";
  if (command.startsWith("LIST")) return '* LIST () "/" INBOX\r\n';
  return command.startsWith("SELECT") ? selected : "";
};

/** A server that answers as told, and as usual where nothing is. */
const startHostileServer = async (answers: Answers, greeting = "* OK hello\r\n"): Promise<Server> => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.write(greeting);
    let rest = "";
    socket.on("data", (data) => {
      const lines = `${rest}${data}`.split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const [, tag = "", command = ""] = /^(\S+) (?:UID )?(.*)$/.exec(line) ?? [];
        if (tag === "") continue;
        const told = answers(command, socket);
        const answer = told === undefined ? usual(command, socket) : told;
        if (answer !== null) socket.write(`${answer}${tag} OK done\r\n`);
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
};

const problemIn = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "nothing",
    (error: unknown) => (error instanceof MailboxError ? error.problem : String(error)),
  );

describe("A hostile server of a mailbox", () => {
  let server: Server | undefined;
  let mailbox: OpenMailbox | undefined;
  const sockets = new Set<Socket>();

  const open = async (
    answers: Answers,
    {
      greeting,
      clock = systemClock,
    }: { greeting?: string; clock?: Parameters<typeof openImapMailbox>[0]["clock"] } = {},
  ): Promise<OpenMailbox> => {
    server = await startHostileServer(answers, greeting);
    server.on("connection", (socket) => sockets.add(socket));
    const { port } = server.address() as { readonly port: number };
    const settings = {
      ...{ host: "127.0.0.1", port, secure: false, folder: "INBOX", keepIn: null },
      ...{ user: "me", password: "x", tokenCommand: null, recipientField: null },
    };
    mailbox = await openImapMailbox({ settings, maskDomain: named("masks.example"), clock });
    return mailbox;
  };

  afterEach(() => {
    mailbox?.close();
    mailbox = undefined;
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    server?.close();
  });

  it("that sends one line without an end is left", async () => {
    expect(await problemIn(open(() => undefined, { greeting: "x".repeat(2_000_000) }))).to.equal("too-much");
  });

  it("that announces a literal of a gigabyte is left before it comes", async () => {
    const { read } = await open((command) =>
      command.startsWith("FETCH")
        ? "* 1 FETCH (UID 1 RFC822.SIZE 10 BODY[]<0> {1073741824}\r\nabc"
        : undefined,
    );
    expect(await problemIn(read(1))).to.equal("too-much");
  });

  it("that sends a mail without an end is left, and no larger one than any is read", async () => {
    const piece = "x".repeat(64 * 1024);
    for (const [size, problem] of [
      [10, "too-much"],
      [2 * maxMailBytes, "nothing"],
    ] as const) {
      const { read } = await open((command) => {
        const at = /<(\d+)\.\d+>/.exec(command)?.[1];
        return at === undefined
          ? undefined
          : `* 1 FETCH (UID 1 RFC822.SIZE ${size} BODY[]<${at}> {${piece.length}}\r\n${piece})\r\n`;
      });
      let bytes = 0;
      const readAll = async (): Promise<void> => {
        for await (const { length } of (await read(1))?.content ?? []) bytes += length;
      };
      expect(await problemIn(readAll())).to.equal(problem);
      expect(bytes).to.be.lessThan(maxMailBytes + 2 * piece.length);
      mailbox?.close();
      server?.close();
    }
  });

  it("that floods lines in an answer is left", async () => {
    const flood = `* OK ${"x".repeat(1_000)}\r\n`.repeat(200);
    const { list } = await open((command, socket) => {
      if (!command.startsWith("SEARCH")) return undefined;
      const pour = (): void => {
        while (!socket.destroyed && socket.write(flood));
        if (!socket.destroyed) socket.once("drain", pour);
      };
      pour();
      return null;
    });
    expect(await problemIn(list(1, 3))).to.equal("too-much");
  });

  it("that lists more mails than it was asked for is left", async () => {
    for (const found of ["1 2 3 4 5", "7 6 5 4", "1 1 2 3 4"]) {
      const { list } = await open((command) =>
        command.startsWith("SEARCH") ? `* SEARCH ${found}\r\n` : undefined,
      );
      expect(await problemIn(list(1, 3)), found).to.equal("wrong-answer");
      mailbox?.close();
      server?.close();
    }
  });

  it("that answers with another mail has nothing to read", async () => {
    const { read } = await open((command) =>
      command.startsWith("FETCH") ? "* 2 FETCH (UID 2 RFC822.SIZE 3 BODY[]<0> {3}\r\nabc)\r\n" : undefined,
    );
    expect(await read(1)).to.equal(null);
  });

  it("that closes in the middle of a mail is left", async () => {
    const { read } = await open((command, socket) => {
      if (!command.startsWith("FETCH")) return undefined;
      socket.end("* 1 FETCH (UID 1 RFC822.SIZE 10 BODY[]<0> {10}\r\nabc");
      return null;
    });
    expect(await problemIn(read(1))).to.equal("closed");
  });

  it("that numbers no mails is left", async () => {
    for (const validity of ["", "* OK [UIDVALIDITY 0] ok\r\n", "* OK [UIDVALIDITY x] ok\r\n"])
      expect(
        await problemIn(
          open((command) => (command.startsWith("SELECT") ? `* 3 EXISTS\r\n${validity}` : undefined)),
        ),
        validity,
      ).to.equal("wrong-answer");
  });

  it("that nests its answer without an end is left", async () => {
    const { list } = await open((command) =>
      command.startsWith("SEARCH") ? `* 1 FETCH ${"(".repeat(100_000)}\r\n` : undefined,
    );
    expect(await problemIn(list(1, 3))).to.be.oneOf(["wrong-answer", "too-much"]);
  });

  it("that never answers, or says again and again that it will, is left", async () => {
    for (const said of ["", "* OK wait\r\n"]) {
      const clock = createVirtualClock();
      const { list } = await open(
        (command, socket) => {
          if (!command.startsWith("SEARCH")) return undefined;
          socket.write(said);
          return null;
        },
        { clock },
      );
      const problem = problemIn(list(1, 3));
      await settled();
      await clock.advance(answerWithinMs + 1_000);
      expect(await problem).to.equal("too-slow");
      mailbox?.close();
      server?.close();
    }
  });
});
