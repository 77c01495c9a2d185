import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { skipWithout } from "../../support/missing.ts";
import { bauta, type Run } from "./support.ts";

/** A user of no account. */
const owner = 23_456;

describe("The bauta command as root, on the data folder of another user", () => {
  let place: string;
  let dataDir: string;
  before(function () {
    if (process.getuid?.() !== 0) skipWithout(this, "root");
  });
  beforeEach(async () => {
    place = mkdtempSync(join(tmpdir(), "bauta-root-"));
    chmodSync(place, 0o755);
    dataDir = join(place, "data");
    mkdirSync(dataDir, { mode: 0o700 });
    chownSync(dataDir, owner, owner);
    expect((await run("dkim", "show")).errors).to.equal("");
  });
  afterEach(() => rmSync(place, { recursive: true, force: true }));

  const run = (...words: readonly string[]): Promise<Run> => bauta({ DATA_DIR: dataDir }, ...words);
  const ownersIn = (folder: string): readonly number[] => [
    ...new Set(
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map(
        (name) => lstatSync(join(folder, name)).uid,
      ),
    ),
  ];

  it("leaves all files to the owner", async () => {
    expect((await run("backup")).errors).to.equal("");
    expect((await run("invite")).errors).to.equal("");
    expect((await run("queue", "retry", "--all")).errors).to.equal("");
    expect(
      readdirSync(join(dataDir, "backups")).map((name) => name.replace(/^bauta-.*\.gz$/, "dated")),
    ).to.deep.equal(["dated"]);
    expect(ownersIn(dataDir)).to.deep.equal([owner]);
  });

  it("follows no link of the owner to a folder or file of root, and gives none away", async () => {
    const secret = join(place, "secret");
    mkdirSync(secret, { mode: 0o700 });
    writeFileSync(join(secret, "shadow"), "root's", { mode: 0o600 });
    symlinkSync(secret, join(dataDir, "backups"));
    for (const words of [["backup"], ["backup", join(dataDir, "backups", "one.gz")]]) {
      const { code, errors } = await run(...words);
      expect(errors).to.contain("EACCES");
      expect(code).to.equal(1);
    }
    rmSync(join(dataDir, "sealing.key"));
    symlinkSync(join(secret, "shadow"), join(dataDir, "sealing.key"));
    expect((await run("dkim", "show")).code).to.equal(1);
    rmSync(join(dataDir, "bauta.db"));
    symlinkSync(join(secret, "new.db"), join(dataDir, "bauta.db"));
    expect((await run("user", "list")).code).to.not.equal(0);
    expect([statSync(secret).uid, ...ownersIn(secret)]).to.deep.equal([0, 0]);
    expect(readdirSync(secret)).to.deep.equal(["shadow"]);
    expect(readFileSync(join(secret, "shadow"), "utf8")).to.equal("root's");
  });

  it("writes to and reads from the places of root that the operator names", async () => {
    const kept = join(place, "kept");
    mkdirSync(kept, { mode: 0o700 });
    const file = join(kept, "one.gz");
    writeFileSync(file, "an earlier one");
    expect((await run("backup", file)).errors).to.equal("");
    const { uid, mode } = statSync(file);
    expect([uid, mode & 0o777]).to.deep.equal([0, 0o600]);
    expect(readdirSync(kept)).to.deep.equal(["one.gz"]);
    rmSync(dataDir, { recursive: true });
    mkdirSync(dataDir, { mode: 0o700 });
    chownSync(dataDir, owner, owner);
    expect((await run("restore", file)).errors).to.equal("");
    expect(ownersIn(dataDir)).to.deep.equal([owner]);
  });

  it("works where the owner cannot pass the folders above, as with a dynamic user of systemd", async () => {
    chmodSync(place, 0o700);
    const { errors, out } = await run("backup");
    expect(errors).to.equal("");
    expect(out).to.contain(join(dataDir, "backups"));
    expect(statSync(join(dataDir, "backups")).uid).to.equal(owner);
    symlinkSync("/etc", join(dataDir, "spool"));
    expect((await run("backup")).errors).to.contain("is a link, which root does not follow");
  });

  it("writes no settings through a link", async () => {
    const target = join(place, "target");
    writeFileSync(target, "");
    const settings = join(place, "bauta.env");
    symlinkSync(target, settings);
    const { code, errors } = await bauta(
      { DATA_DIR: dataDir, BAUTA_SETTINGS: settings },
      "setup",
      ...["--domain", "masks.example.org", "--operator", "me@example.net", "--via", "mx"],
    );
    expect(errors).to.contain("is a link; set BAUTA_SETTINGS to the file itself");
    expect(code).to.equal(78);
    expect(readFileSync(target, "utf8")).to.equal("");
  });
});
