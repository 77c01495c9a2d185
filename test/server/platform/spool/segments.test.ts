import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import fc from "fast-check";
import { Segments } from "../../../../server/platform/spool/segments.ts";
import { useTemporaryFolder } from "../../support/temporaryFolder.ts";

const marker = "4242424242-the-secret-of-this-mail";
const mebibyte = 1024 * 1024;

describe("The segments of new mail", () => {
  const folder = useTemporaryFolder();
  const path = (): string => join(folder(), "segments");
  const bytes = (text: string): Buffer => Buffer.from(text);

  it("return every content as it was, whoever stores at the same time, also to a later process", async () => {
    const contents = fc.array(fc.array(fc.uint8Array({ maxLength: 2_000 }), { maxLength: 3 }), {
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(contents, { minLength: 1, maxLength: 6 }), async (mails) => {
        const segments = new Segments(path());
        const asBuffers = mails.map((mail) =>
          mail.map((chunks) => chunks.map((chunk) => Buffer.from(chunk))),
        );
        const stored = await Promise.all(asBuffers.map((mail) => segments.store(mail)));
        const later = new Segments(path());
        for (const [n, { places }] of stored.entries())
          for (const [m, place] of places.entries())
            expect((await later.read(place)).equals(Buffer.concat(asBuffers[n]?.[m] ?? []))).to.equal(true);
      }),
      { numRuns: 30 },
    );
  });

  it("are encrypted with a key for each content", async () => {
    const segments = new Segments(path());
    const { places } = await segments.store([[bytes(marker)], [bytes(marker)]]);
    const written = readdirSync(path()).map((name) => readFileSync(join(path(), name)));
    expect(written.some((content) => content.includes(marker))).to.equal(false);
    expect(new Set(places.map(({ key }) => key)).size).to.equal(2);
  });

  it("are complete after 32 MiB, and deleted only when all rows of their contents are decided", async () => {
    const segments = new Segments(path());
    const first = await segments.store([[Buffer.alloc(mebibyte)]]);
    const second = await segments.store([[Buffer.alloc(31 * mebibyte)]]);
    const third = await segments.store([[bytes("next")]]);
    expect(third.places[0]?.segment).to.not.equal(first.places[0]?.segment);
    first.release();
    expect(await segments.listComplete()).to.deep.equal([]);
    second.release();
    const complete = await segments.listComplete();
    expect(complete.map(({ name }) => name)).to.deep.equal([first.places[0]?.segment]);
    for (const { name } of complete) await segments.remove(name);
    expect(readdirSync(path())).to.deep.equal([third.places[0]?.segment]);
  });

  it("of an earlier process are complete", async () => {
    const { places } = await new Segments(path()).store([[bytes("one")]]);
    const complete = await new Segments(path()).listComplete();
    expect(complete.map(({ name }) => name)).to.deep.equal(places.map(({ segment }) => segment));
  });

  it("refuse a place beyond their end, as after a restored backup", async () => {
    const segments = new Segments(path());
    const { places } = await segments.store([[bytes("one")]]);
    const place = places[0];
    const error = await (place &&
      segments.read({ ...place, length: 100 }).catch((caught: unknown) => caught));
    expect(String(error)).to.include("a segment ends before a stored mail does");
  });

  it("store nothing while their folder cannot be written, and work again afterwards", async () => {
    writeFileSync(path(), "a file where the folder should be");
    const segments = new Segments(path());
    const error = await segments.store([[bytes("one")]]).catch((caught: unknown) => caught);
    expect(error).to.be.instanceOf(Error);
    rmSync(path());
    const { places } = await segments.store([[bytes("two")]]);
    const [place] = places;
    expect(String(place && (await segments.read(place)))).to.equal("two");
  });
});
