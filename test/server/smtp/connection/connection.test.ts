import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createSecureContext } from "node:tls";
import { expect } from "chai";
import { minuteMs } from "../../../../core/kernel/durations.ts";
import { smtpReply } from "../../../../server/smtp/smtpReplies.ts";
import { createVirtualClock } from "../../../fakes/virtualClock.ts";
import { type Front, type FrontOptions, startFront } from "../../support/front.ts";
import type { SmtpClient } from "../../support/smtpClient.ts";
import { until } from "../../support/until.ts";

describe("An SMTP connection", () => {
  let front: Front;
  const start = async (options?: FrontOptions): Promise<Front> => {
    front = await startFront(options);
    return front;
  };
  afterEach(() => front.close());

  /** Sends bytes at once and returns everything that the server sends until it closes the connection. */
  const talk = async (bytes: string, isHalfClosed = false): Promise<string> => {
    const socket = connect({ port: front.port, host: "127.0.0.1", allowHalfOpen: true });
    let heard = "";
    socket.setEncoding("latin1").on("data", (text) => {
      heard += text;
    });
    if (!isHalfClosed) await once(socket, "data");
    if (isHalfClosed) socket.end(bytes);
    else socket.write(bytes);
    await once(socket, "end");
    socket.destroy();
    return heard;
  };

  const begin = async (): Promise<SmtpClient> => {
    const client = await front.connect();
    await client.envelope("a@b.example", ["mask@masks.example"]);
    return client;
  };

  it("is refused with 421 when the client sends before the greeting", async () => {
    await start();
    const socket = connect(front.port, "127.0.0.1");
    socket.write("EHLO too.early\r\n");
    const [heard] = await once(socket.setEncoding("latin1"), "data");
    expect(heard).to.equal("421 4.7.0 You spoke before the greeting\r\n");
    await once(socket, "close");
  });

  it("starts with a greeting without a delay", async () => {
    // The clock stands still.
    await start({ clock: createVirtualClock() });
    for (let count = 0; count < 20; count += 1) (await front.connect("")).destroy();
  });

  it("is closed with 554 5.5.0 when more follows DATA before its answer, and nothing of it is accepted", async () => {
    await start();
    const heard = await talk(
      "EHLO x\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<mask@masks.example>\r\nDATA\r\nSubject: x\r\n\r\n.\r\n",
    );
    expect(heard).to.match(/^250 2\.1\.5 .*\r\n554 5\.5\.0 .*\r\n$/m);
    expect(await talk("EHLO x\r\nDATA\r\nMAIL FROM:<a@b.example>\r\n")).to.match(/554 5\.5\.0 .*\r\n$/);
    expect([front.mails.length, front.open()]).to.deep.equal([0, 0]);
  });

  it("answers a group of commands in one write, and everything that arrived before the client closed its side", async () => {
    // What another client is answered was sent after the group, all of which has arrived then.
    const meanwhile = async (): Promise<null> => {
      await onlooker.say("NOOP");
      return null;
    };
    await start({ onRecipient: meanwhile });
    const onlooker = await front.connect();
    const client = await front.connect();
    client.write(
      "MAIL FROM:<a@b.example>\r\nRCPT TO:<a@masks.example>\r\nRCPT TO:<b@masks.example>\r\nNOOP\r\n",
    );
    const answers = [await client.reply(), await client.reply(), await client.reply(), await client.reply()];
    expect(answers.map((answer) => answer.slice(0, 9))).to.deep.equal([
      "250 2.1.0",
      "250 2.1.5",
      "250 2.1.5",
      "250 2.0.0",
    ]);
    const bdat = "BDAT 13 LAST\r\nSubject: x\r\n\r\nQUIT\r\n";
    const rest = `${"EHLO x\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<mask@masks.example>\r\n"}${bdat}`;
    const socket = connect({ port: front.port, host: "127.0.0.1", allowHalfOpen: true });
    let heard = "";
    socket.setEncoding("latin1").on("data", (text) => {
      heard += text;
    });
    await once(socket, "data");
    socket.end(rest.replace("BDAT 13", "BDAT 14"));
    await once(socket, "end");
    expect(heard).to.match(/250 2\.6\.0 Queued\r\n221 2\.0\.0 Bye\r\n$/);
    expect(front.mails.map(({ content }) => content)).to.deep.equal(["Subject: x\r\n\r\n"]);
  });

  it("accepts content in chunks, byte for byte with its dots, and joins them (RFC 3030)", async () => {
    await start();
    const client = await begin();
    client.write("BDAT 16\r\nSubject: x\r\n\r\n.\r");
    expect(await client.reply()).to.match(/^250 2\.0\.0 /);
    expect(await client.say("RCPT TO:<late@masks.example>")).to.match(/^503 /);
    expect(await client.say("DATA")).to.match(/^503 /);
    client.write("BDAT 10\r\n\n.\r\n..\r\nxyBDAT 0 LAST\r\n");
    expect([await client.reply(), await client.reply()].map((answer) => answer.slice(0, 9))).to.deep.equal([
      "250 2.0.0",
      "250 2.6.0",
    ]);
    expect(front.mails.map(({ content }) => content)).to.deep.equal([
      "Subject: x\r\n\r\n.\r\n.\r\n..\r\nxy\r\n",
    ]);
    client.write("BDAT 5 LAST\r\nabcde");
    expect(await client.reply()).to.match(/^503 5\.5\.1 /);
    expect(await client.say("NOOP")).to.match(/^250 /);
    expect(await client.say("BDAT many")).to.match(/^501 /);
    await client.closed;
  });

  it("reads a refused chunk to its end, and a chunk that exceeds the size limit in total", async () => {
    let refused = 0;
    await start({
      onContentRefused: () => {
        refused += 1;
      },
    });
    const client = await begin();
    for (let count = 1; count <= 27; count += 1) {
      client.write("BDAT 1048576\r\n");
      client.write(Buffer.alloc(1_048_576, "a line of text.\r\n"));
      expect(await client.reply(), `${count} MiB`).to.match(count <= 25 ? /^250 / : /^552 5\.3\.4 /);
    }
    expect(await client.say("BDAT 0 LAST")).to.match(/^552 5\.3\.4 /);
    expect(refused, "how often the refusal is reported").to.equal(1);
    expect(await client.mail("a@b.example", ["mask@masks.example"], "Subject: x\r\n\r\n")).to.match(/^250 /);
    expect(front.mails).to.have.lengthOf(1);
  });

  it("is closed after a command line of more than 4,096 bytes, with or without an end", async () => {
    await start();
    for (const bytes of [`NOOP ${"x".repeat(5_000)}\r\n`, "x".repeat(5_000)])
      expect(await talk(bytes)).to.match(/500 5\.5\.6 .*\r\n$/);
  });

  it("answers an HTTP request with 421", async () => {
    await start();
    expect(await talk("GET / HTTP/1.1\r\nHost: x\r\n\r\n")).to.match(/^421 4\.7\.0 .*\r\n$/m);
  });

  it("accepts addresses without brackets, as other servers do", async () => {
    await start();
    const client = await front.connect();
    expect(await client.say("MAIL FROM:a@b.example SIZE=100")).to.match(/^250 2\.1\.0 /);
    expect(await client.say("RCPT TO: mask@masks.example")).to.match(/^250 2\.1\.5 /);
    expect(await client.say("RCPT TO:postmaster")).to.match(/^250 2\.1\.5 /);
    for (const line of [
      "RCPT TO:mask",
      "RCPT TO:",
      "RCPT TO:mask@masks.example>",
      'RCPT TO:"a b"@masks.example',
    ])
      expect(await client.say(line), line).to.match(/^501 5\.1\.3 /);
    expect(await client.say("DATA")).to.match(/^354 /);
    client.write("Subject: x\r\n\r\n.\r\n");
    expect(await client.reply()).to.match(/^250 /);
    expect(front.mails.map(({ envelope, recipients }) => [envelope.sender, ...recipients])).to.deep.equal([
      ["a@b.example", "mask@masks.example", "postmaster"],
    ]);
    for (const sender of ["a", "", "a b@c.example", "@b.example", "a@b@c.example", "a@b.example<"])
      expect(await client.say(`MAIL FROM:${sender}`), sender).to.match(/^501 5\./);
  });

  it("accepts quoted senders, and refuses addresses that are ambiguous to other servers", async () => {
    await start();
    const client = await front.connect();
    const answerTo = async (from: string): Promise<string> => {
      const answer = await client.say(`MAIL FROM:${from}`);
      await client.say("RSET");
      return answer.slice(0, 9);
    };
    for (const from of ['<"a b"@c.example>', '<"a@b"@c.example>', '<"a\\"b"@c.example>', "<ä@ö.example>"])
      expect(await answerTo(from), from).to.equal("250 2.1.0");
    for (const from of [
      "<a@b.example> X=1 X=2",
      "<a\u200b@b.example>",
      "<a\u0085@b.example>",
      '<"a\r"@b.example>',
      "<a@b.example>\u0000",
      `<${"a".repeat(600)}@b.example>`,
    ])
      expect(await answerTo(from), JSON.stringify(from)).to.match(/^501 5\./);
    client.write(Buffer.from("MAIL FROM:<\xff@b.example>\r\n", "latin1"));
    expect(await client.reply(), "no UTF-8").to.match(/^501 5\.1\.7 /);
    expect(await answerTo("<a@b.example> NOTIFY=NEVER")).to.equal("555 5.5.4");
  });

  it("is closed with 421 after 5 idle minutes, also while a line or a mail arrives too slowly", async () => {
    const clock = createVirtualClock();
    await start({ clock });
    const [idle, trickling, mailing] = [await front.connect(), await front.connect(), await begin()];
    const onlooker = await front.connect();
    /** The others' bytes have been read when what was sent after them is answered. */
    const untilRead = () => onlooker.say("NOOP");
    await mailing.say("DATA");
    for (let minute = 0; minute < 4; minute += 1) {
      await clock.advance(minuteMs);
      trickling.write("N");
      mailing.write("x");
      await untilRead();
    }
    await clock.advance(minuteMs);
    expect([await idle.reply(), await trickling.reply()].map((reply) => reply.slice(0, 9))).to.deep.equal([
      "421 4.4.2",
      "421 4.4.2",
    ]);
    for (let minute = 0; minute < 15; minute += 1) {
      mailing.write("x");
      await untilRead();
      await clock.advance(minuteMs);
    }
    expect(await mailing.reply(), "20 minutes for a mail").to.match(/^421 4\.4\.2 /);
    expect(front.open()).to.equal(0);
  });

  it("ends its transaction when the client disconnects, and keeps nothing of its mail", async () => {
    await start();
    const [early, late] = [await begin(), await begin()];
    await late.say("DATA");
    late.write("Subject: x\r\n\r\nhalf a mail\r\n");
    expect(front.open()).to.equal(2);
    early.destroy();
    late.destroy();
    await until("both are over", () => front.open() === 0);
    expect(front.mails).to.deep.equal([]);
  });

  it("answers a temporary error after an exception, and continues", async () => {
    let tries = 0;
    await start({
      onRecipient: async () => {
        tries += 1;
        if (tries === 1) throw new Error("broken");
        return null;
      },
      onMail: () => (tries === 2 ? Promise.reject(new Error("broken")) : Promise.resolve(null)),
    });
    const client = await front.connect();
    const send = () => client.mail("a@b.example", ["mask@masks.example"], "Subject: x\r\n\r\n");
    expect([await send(), await send(), await send()].map((answer) => answer.slice(0, 9))).to.deep.equal([
      "451 4.3.0",
      "451 4.3.0",
      "250 2.6.0",
    ]);
  });

  it("is not read further while the client does not read the answers", async () => {
    await start();
    const socket = connect(front.port, "127.0.0.1");
    await once(socket, "data");
    socket.pause();
    const asked = 200_000;
    const commands = Buffer.from("NOOP\r\n".repeat(1_000));
    for (let count = 0; count < asked / 1_000; count += 1) socket.write(commands);
    const onlooker = await front.connect();
    let unread = -1;
    await until("nothing more of it is read", async () => {
      const before = unread;
      await onlooker.say("NOOP");
      unread = socket.writableLength;
      return unread === before;
    });
    let heard = 0;
    socket.on("data", (bytes: Buffer) => {
      heard += bytes.length;
    });
    socket.resume();
    socket.end();
    await once(socket, "close");
    expect(heard).to.equal(asked * "250 2.0.0 OK\r\n".length);
  });

  it("refuses with the code, status and text of the transaction", async () => {
    await start({ onMail: async () => smtpReply(550, "5.7.1", "Not wanted") });
    const client = await front.connect();
    expect(await client.mail("a@b.example", ["mask@masks.example"], "")).to.equal("550 5.7.1 Not wanted");
  });

  it("is open for others while twelve addresses connect twenty times a second and never hang up", async () => {
    const clock = createVirtualClock();
    await start({ clock, isTrusted: () => false });
    const flood: Socket[] = [];
    const flooders = Array.from({ length: 12 }, (_, n) => `127.0.${n + 1}.1`);
    /** Settles when the server has answered or refused, without hanging up. */
    const open = async (localAddress: string): Promise<void> => {
      const socket = connect({ port: front.port, host: "127.0.0.1", localAddress, allowHalfOpen: true });
      flood.push(socket);
      socket.on("error", () => {});
      await Promise.race(["data", "end", "close"].map((event) => once(socket, event)));
    };
    try {
      for (let second = 0; second < 5; second += 1) {
        for (const address of flooders) await Promise.all(Array.from({ length: 20 }, () => open(address)));
        await clock.advance(1_000);
      }
      const client = await front.connect("EHLO honest.example", "127.0.99.1");
      expect(await client.mail("a@b.example", ["mask@masks.example"], "Subject: x\r\n\r\nx\r\n")).to.match(
        /^250/,
      );
    } finally {
      for (const socket of flood) socket.destroy();
    }
  });

  it("gives its slot up while its TLS handshake waits for the client", async () => {
    const clock = createVirtualClock();
    await start({ clock, isTrusted: () => false, secureContext: () => createSecureContext() });
    const silent: SmtpClient[] = [];
    for (let n = 0; n < 400; n += 1) {
      const client = await front.connect("EHLO silent.example", `127.${Math.floor(n / 200)}.${n % 200}.2`);
      await client.say("STARTTLS");
      silent.push(client);
    }
    await clock.advance(1_000);
    const other = await front.connect("EHLO honest.example", "127.9.9.9");
    expect(await other.say("NOOP")).to.match(/^250/);
    for (const client of silent) client.destroy();
  });
});
