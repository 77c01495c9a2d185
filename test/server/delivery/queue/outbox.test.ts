import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { createOutbox } from "../../../../server/delivery/queue/outbox.ts";
import { createOutboxTransport } from "../../../../server/delivery/queue/outboxTransport.ts";
import { maxBytesInMemory } from "../../../../server/platform/spool/arrivingContent.ts";
import { withContent } from "../../support/queue.ts";
import { useTemporaryFolder } from "../../support/temporaryFolder.ts";

const at = Date.UTC(2026, 10, 20, 9, 30, 15, 250);

const withBytes = (content: Buffer) => withContent({ content }, content);

const mail = (id: string, more: { subject?: string; createdAt?: number; envelopeSender?: string } = {}) => ({
  id,
  envelopeSender: more.envelopeSender ?? "bounces@masks.example",
  recipient: "someone@home.example",
  createdAt: more.createdAt ?? at,
  ...withBytes(
    Buffer.from(
      `From: "Acme - a at b.example"\r\n <m@masks.example>\r\nTo: m@masks.example\r\nSubject: ${more.subject ?? "Hello"}\r\n\r\nHello \xff.\r\n`,
      "latin1",
    ),
  ),
});

describe("The outbox", () => {
  const folder = useTemporaryFolder();
  const place = (): string => join(folder(), "outbox");

  it("stores each mail as a file named after its time and id, with the envelope in the first two lines", async () => {
    const one = mail("AbC_-123");
    expect(await createOutboxTransport(place()).send(one)).to.deep.include({ kind: "delivered" });
    expect(readdirSync(place())).to.deep.equal(["20261120T093015250Z-AbC_-123.eml"]);
    const stored = readFileSync(join(place(), "20261120T093015250Z-AbC_-123.eml"));
    const envelope = "X-Outbox-From: bounces@masks.example\r\nX-Outbox-To: someone@home.example\r\n";
    expect(stored.equals(Buffer.concat([Buffer.from(envelope), one.content]))).to.equal(true);
    expect(statSync(join(place(), "20261120T093015250Z-AbC_-123.eml")).mode & 0o077).to.equal(0);
  });

  it("stores a mail once, however often it is tried, and leaves no incomplete file", async () => {
    const transport = createOutboxTransport(place());
    await Promise.all([transport.send(mail("b")), transport.send(mail("a"))]);
    await transport.send(mail("a"));
    expect(readdirSync(place()).sort()).to.deep.equal([
      "20261120T093015250Z-a.eml",
      "20261120T093015250Z-b.eml",
    ]);
  });

  it("reports a temporary failure when the folder is not writable", async () => {
    writeFileSync(place(), "a file where the folder should be");
    const outcome = await createOutboxTransport(place()).send(mail("a"));
    expect(outcome.kind).to.equal("temporary");
    expect(outcome.answer).to.match(/^the outbox cannot be written: (EEXIST|ENOTDIR)$/);
  });

  it("leaves the room of small mail to it: large mail waits", async () => {
    const transport = createOutboxTransport(place(), () => false);
    const large = { ...mail("large"), size: maxBytesInMemory + 1 };
    expect((await transport.send(large)).kind).to.equal("temporary");
    expect((await transport.send(mail("small"))).kind).to.equal("delivered");
  });

  it("lists the newest mails first, with decoded header fields", async () => {
    const transport = createOutboxTransport(place());
    await transport.send(mail("old", { createdAt: at - 1_000, envelopeSender: "" }));
    await transport.send(mail("new", { subject: "=?utf-8?B?xbvDs8WC?=\r\n\t=?utf-8?Q?w_?= x" }));
    const [first, second, ...others] = await createOutbox(place()).list();
    expect(others).to.deep.equal([]);
    expect(first).to.deep.equal({
      id: "20261120T093015250Z-new",
      at,
      envelopeSender: "bounces@masks.example",
      recipient: "someone@home.example",
      from: '"Acme - a at b.example" <m@masks.example>',
      to: "m@masks.example",
      subject: "Żółw  x",
      isEncrypted: false,
      size: statSync(join(place(), "20261120T093015250Z-new.eml")).size,
    });
    expect(second).to.include({ id: "20261120T093014250Z-old", at: at - 1_000, envelopeSender: "" });
  });

  it("lists at most the requested number of mails, and reads only the start of each file", async () => {
    const transport = createOutboxTransport(place());
    for (let count = 0; count < 5; count += 1) await transport.send(mail(`large${count}`));
    // Node cannot read a file of this size at once; the file is sparse and needs no disk space.
    for (const name of readdirSync(place())) truncateSync(join(place(), name), 3 * 1024 ** 3);
    expect(await createOutbox(place()).list(3)).to.have.lengthOf(3);
  });

  it("is empty when the folder does not exist, and ignores other files", async () => {
    expect(await createOutbox(place()).list()).to.deep.equal([]);
    mkdirSync(place());
    writeFileSync(join(place(), "notes.txt"), "x");
    writeFileSync(join(place(), ".20261120T093015250Z-a.eml.part"), "x");
    expect(await createOutbox(place()).list()).to.deep.equal([]);
  });

  it("reads a whole mail by its id", async () => {
    await createOutboxTransport(place()).send(mail("a"));
    const read = await createOutbox(place()).read("20261120T093015250Z-a");
    expect(read?.entry).to.include({ subject: "Hello" });
    expect(read?.content.length).to.equal(read?.entry.size);
    expect(await createOutbox(place()).read("20261120T093015250Z-b")).to.equal(null);
  });

  it("reads no file outside its folder, whatever the id is", async () => {
    await createOutboxTransport(place()).send(mail("a"));
    writeFileSync(join(folder(), "20261120T093015250Z-secret.eml"), "X-Outbox-From: a\r\n\r\nsecret");
    symlinkSync(join(folder(), "20261120T093015250Z-secret.eml"), join(place(), "link.eml"));
    const ids = [
      "../20261120T093015250Z-secret",
      "..%2f20261120T093015250Z-secret",
      "20261120T093015250Z-../../20261120T093015250Z-secret",
      "20261120T093015250Z-a.eml",
      "20261120T093015250Z-a\0",
      "20261120T093015250Z-a\n",
      "link",
      "",
      ".",
      "/etc/passwd",
    ];
    for (const id of ids) expect(await createOutbox(place()).read(id), JSON.stringify(id)).to.equal(null);
  });
});
