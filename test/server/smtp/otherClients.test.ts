import { execFile, spawnSync } from "node:child_process";
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
});
