import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import fc from "fast-check";
import { toBuffer } from "../../../../server/delivery/outgoingCopy.ts";
import { createBeginContent, spoolFileOf } from "../../../../server/platform/spool/arrivingContent.ts";
import type { ArrivingContent, MailContent } from "../../../../server/platform/spool/mailContent.ts";
import { createSpool } from "../../../../server/platform/spool/spoolFile.ts";
import { collectGarbage } from "../../../support/collectGarbage.ts";
import { useTemporaryFolder } from "../../support/temporaryFolder.ts";
import { until } from "../../support/until.ts";

const mebibyte = 1024 * 1024;
const header = "From: a@b.example\r\nSubject: marker-in-the-header\r\n\r\n";

const mailOf = (bytes: number): Buffer =>
  Buffer.concat([Buffer.from(header), Buffer.alloc(bytes - header.length, "marker-in-the-body\r\n")]);

const receive = async (arriving: ArrivingContent, mail: Buffer, piece = 64 * 1024): Promise<MailContent> => {
  for (let at = 0; at < mail.length; at += piece) await arriving.add(mail.subarray(at, at + piece));
  const content = await arriving.finish();
  if (typeof content === "string") throw new Error(content);
  return content;
};

describe("The spooled content of a mail", () => {
  const folder = useTemporaryFolder();
  const spoolOf = (isDurable = true) => createSpool(folder(), isDurable);
  const files = (): readonly string[] => readdirSync(join(folder(), "spool"));

  it("has the same bytes, in memory up to 256 KiB and on the disk above, for any split into chunks", async () => {
    const begin = createBeginContent(spoolOf());
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 100, max: 700 * 1024 }),
        fc.integer({ min: 1_000, max: 200_000 }),
        async (bytes, piece) => {
          const mail = mailOf(bytes);
          const arriving = begin(0);
          const content = await receive(arriving, mail, piece);
          expect(content.size).to.equal(bytes);
          expect(spoolFileOf(content) !== undefined).to.equal(bytes > 256 * 1024);
          expect((await toBuffer(content.chunks())).equals(mail)).to.equal(true);
          expect((await toBuffer(content.chunks())).equals(mail), "a second time").to.equal(true);
          expect(content.head.includes(header)).to.equal(true);
          arriving.discard();
        },
      ),
      { numRuns: 30 },
    );
  });

  it("of a large mail keeps only its header in memory", async () => {
    const content = await receive(createBeginContent(spoolOf())(0), mailOf(2 * mebibyte));
    expect(content.head.toString()).to.equal(header);
  });

  it("is not readable in the file, which is removed when the mail was not accepted", async () => {
    const arriving = createBeginContent(spoolOf())(0);
    await receive(arriving, mailOf(mebibyte));
    const [name = ""] = files();
    expect(readFileSync(join(folder(), "spool", name)).includes("marker")).to.equal(false);
    arriving.discard();
    await until("it is deleted", () => files().length === 0);
  });

  it("stays on the disk once it is persisted, until it is removed", async () => {
    const spool = spoolOf();
    const arriving = createBeginContent(spool)(0);
    const mail = mailOf(mebibyte);
    const content = await receive(arriving, mail);
    const file = spoolFileOf(content);
    await file?.persist();
    const other = createBeginContent(spool)(0);
    await receive(other, mail);
    arriving.discard();
    other.discard();
    await until("the other, which was not persisted, is deleted", () => files().length === 1);
    const { id = "", key = "" } = file ?? {};
    const again = createSpool(folder(), true);
    expect((await toBuffer(again.read({ id, key }))).equals(mail), "in another process").to.equal(true);
    await again.remove(id);
    await again.remove(id);
    expect(files()).to.deep.equal([]);
  });

  it("is removed after a crash: a start deletes the files that no row names", async () => {
    const spool = spoolOf();
    const [kept, lost] = [createBeginContent(spool)(0), createBeginContent(spool)(0)];
    const content = await receive(kept, mailOf(mebibyte));
    await receive(lost, mailOf(mebibyte));
    await spoolFileOf(content)?.persist();
    const named = spoolFileOf(content)?.id ?? "";
    const findNamed = async () => new Set([named]);
    await spool.sweep(findNamed);
    expect(files(), "files that are younger than the start").to.have.length(2);
    await spoolOf().sweep(findNamed);
    expect(files()).to.deep.equal([named]);
    kept.discard();
    lost.discard();
  });

  it("keeps no more than 8 MiB in memory while 128 MiB pass", async () => {
    const spool = spoolOf();
    const file = await spool.create();
    let [least, most, unmeasured] = [Number.POSITIVE_INFINITY, 0, 0];
    const measureAfter = (bytes: number): void => {
      unmeasured += bytes;
      if (unmeasured < 16 * mebibyte) return;
      unmeasured = 0;
      collectGarbage();
      const { arrayBuffers } = process.memoryUsage();
      least = Math.min(least, arrayBuffers);
      most = Math.max(most, arrayBuffers);
    };
    for (let n = 0; n < 64 * 16; n += 1) {
      await file.append([Buffer.alloc(64 * 1024, n)]);
      measureAfter(64 * 1024);
    }
    await file.persist();
    for await (const { length } of spool.read(file)) measureAfter(length);
    expect((most - least) / mebibyte).to.be.below(8);
    await file.close();
  });

  it("is an unnamed file on the disk where it need not survive a crash", async () => {
    const arriving = createBeginContent(spoolOf(false))(0);
    const mail = mailOf(mebibyte);
    const content = await receive(arriving, mail);
    expect(files()).to.deep.equal([]);
    expect((await toBuffer(content.chunks())).equals(mail)).to.equal(true);
    arriving.discard();
  });

  it("is deferred, without an effect on others, when the folder cannot be written", async () => {
    writeFileSync(join(folder(), "spool"), "a file where the folder should be");
    const begin = createBeginContent(spoolOf());
    const large = begin(0);
    for (const piece of [mailOf(mebibyte)]) await large.add(piece);
    expect(await large.finish()).to.equal("failed");
    large.discard();
    const mail = mailOf(1_000);
    expect((await toBuffer((await receive(begin(0), mail)).chunks())).equals(mail)).to.equal(true);
  });
});
