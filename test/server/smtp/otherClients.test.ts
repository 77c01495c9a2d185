import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { skipWithout } from "../../support/missing.ts";
import { type Front, startFront } from "../support/front.ts";

const run = promisify(execFile);

const smtplib = `
import smtplib, sys
with smtplib.SMTP("127.0.0.1", int(sys.argv[1]), local_hostname="client.example", timeout=10) as server:
    refused = server.sendmail("a@b.example", ["one@masks.example", "two@masks.example"],
        b"Subject: x\\r\\n\\r\\n.dot\\r\\nbare\\nline\\r\\n", mail_options=["BODY=8BITMIME"])
    assert refused == {}, refused
    server.sendmail("", "three@masks.example", "Subject: second\\n\\ntext")
    assert server.verify("one")[0] == 252
`;

/** Exim delivers at once, to this port only, and sends BDAT where it is offered. */
const eximSettings = (folder: string, port: number): string => `
primary_hostname = client.example
spool_directory = ${folder}
log_file_path = ${folder}/%slog
exim_user = nobody
exim_group = nogroup
keep_environment =
begin routers
all:
  driver = manualroute
  route_list = * 127.0.0.1 byname
  self = send
  transport = remote
begin transports
remote:
  driver = smtp
  port = ${port}
  allow_localhost
  hosts_try_chunking = *
`;

describe("Other SMTP clients", () => {
  let front: Front;
  beforeEach(async () => {
    front = await startFront();
  });
  afterEach(() => front.close());

  it("send two mails in a connection from Python's smtplib", async function () {
    if (spawnSync("python3", ["--version"]).error) skipWithout(this, "python3");
    await run("python3", ["-c", smtplib, String(front.port)]);
    expect(front.mails.map(({ content, recipients }) => [content, recipients])).to.deep.equal([
      ["Subject: x\r\n\r\n.dot\r\nbare\r\nline\r\n", ["one@masks.example", "two@masks.example"]],
      ["Subject: second\r\n\r\ntext\r\n", ["three@masks.example"]],
    ]);
  });

  it("send a mail from swaks, command by command and pipelined", async function () {
    if (spawnSync("swaks", ["--version"]).error) skipWithout(this, "swaks");
    for (const options of [[], ["--pipeline"]]) {
      const args = ["--server", "127.0.0.1", "--port", String(front.port), "--helo", "client.example"];
      const mail = [
        "--from",
        "a@b.example",
        "--to",
        "mask@masks.example",
        "--data",
        "Subject: x\\n\\n.swaks",
      ];
      const { stdout } = await run("swaks", [...args, ...mail, ...options]);
      expect(stdout).to.include("250 2.6.0 Queued");
    }
    expect(front.mails.map(({ content }) => content)).to.deep.equal(
      Array(2).fill("Subject: x\r\n\r\n.swaks\r\n"),
    );
  });

  it("send a mail from Postfix's client, pipelined over one connection", async function () {
    const program = "/usr/sbin/smtp-source";
    if (spawnSync(program, ["-V"]).error) skipWithout(this, "Postfix (smtp-source)");
    const options = [
      "-s",
      "3",
      "-m",
      "20",
      "-l",
      "100000",
      "-d",
      "-f",
      "a@b.example",
      "-t",
      "mask@masks.example",
    ];
    await run(program, [...options, `127.0.0.1:${front.port}`]);
    expect(front.mails).to.have.lengthOf(20);
    for (const { content } of front.mails) expect(content.length).to.be.above(100_000);
  });

  it("send a mail from Exim, to two recipients and in chunks", async function () {
    if (spawnSync("exim4", ["-bV"]).error || process.getuid?.() !== 0) skipWithout(this, "Exim, as root");
    const folder = mkdtempSync(join(tmpdir(), "bauta-exim-"));
    try {
      chmodSync(folder, 0o777);
      writeFileSync(join(folder, "exim.conf"), eximSettings(folder, front.port), { mode: 0o644 });
      const recipients = ["one@masks.example", "two@masks.example"];
      const exim = spawn("exim4", [
        "-C",
        join(folder, "exim.conf"),
        "-odf",
        "-i",
        "-f",
        "a@b.example",
        ...recipients,
      ]);
      exim.stdin.end("Subject: x\n\n.\n.dot\nend\n");
      await once(exim, "close");
      const [mail] = front.mails;
      expect(mail?.recipients).to.deep.equal(recipients);
      expect(mail?.content).to.match(/\r\nSubject: x\r\n[\s\S]*\r\n\r\n\.\r\n\.dot\r\nend\r\n$/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
