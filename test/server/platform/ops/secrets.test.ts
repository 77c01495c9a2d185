import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { openSecrets } from "../../../../server/platform/ops/secrets.ts";

describe("The secrets of an installation", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "bauta-secrets-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("are created at the first start, differ from each other and are readable by their owner alone", () => {
    const { signing, hashing, sealing } = openSecrets(folder);
    expect(signing).to.have.length(32);
    expect(new Set([signing, hashing, sealing].map((one) => Buffer.from(one).toString("hex"))).size).to.equal(
      3,
    );
    for (const name of ["signing.key", "hashing.key", "sealing.key"]) {
      expect(statSync(join(folder, name)).mode & 0o777).to.equal(0o600);
    }
  });

  it("stay the same at the next start", () => {
    const first = openSecrets(folder);
    const second = openSecrets(folder);
    expect(Buffer.compare(first.signing, second.signing)).to.equal(0);
    expect(Buffer.compare(first.hashing, second.hashing)).to.equal(0);
    expect(Buffer.compare(first.sealing, second.sealing)).to.equal(0);
  });

  it("prevent the start when they are damaged, and are not replaced", () => {
    writeFileSync(join(folder, "signing.key"), "short\n");
    expect(() => openSecrets(folder)).to.throw("signing.key is damaged");
  });
});
