import { execFileSync } from "node:child_process";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect } from "chai";
import { generateKey } from "openpgp";
import { cryptoRandom } from "../../../adapters/system/clockAndRandom.ts";
import { enqueue } from "../../../server/delivery/queue/queueQueries.ts";
import { findMailRoute } from "../../../server/features/masks/findMailRoute.ts";
import { insertSession } from "../../../server/features/session/sessionQueries.ts";
import {
  activateTwoFactor,
  offerTwoFactorSecret,
} from "../../../server/features/session/twoFactor/twoFactorQueries.ts";
import { type Database, openDatabase } from "../../../server/platform/store/database.ts";
import { sqliteEngine } from "../../../server/platform/store/sqlite.ts";
import { freePort } from "../../support/freePort.ts";
import { addMask, addOwner } from "../support/owners.ts";
import { useTemporaryFolder } from "../support/temporaryFolder.ts";
import { bauta, type Run } from "./support.ts";

describe("The bauta command", () => {
  const folder = useTemporaryFolder();
  const run = (...words: readonly string[]): Promise<Run> => bauta({ DATA_DIR: folder() }, ...words);
  const json = async (...words: readonly string[]) => JSON.parse((await run(...words, "--json")).out);

  const withDatabase = async <A>(work: (database: Database) => Promise<A>): Promise<A> => {
    const database = await openDatabase(sqliteEngine(join(folder(), "bauta.db")));
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  };

  it("lists its commands, explains each, and names what is wrong with its arguments", async () => {
    const { code, out } = await run();
    expect([code, out]).to.satisfy(([, text]: [number, string]) => text.includes("user suspend"));
    expect((await run("user", "tier", "--help")).out).to.contain("Usage: bauta user tier <address> <tier>");
    const group = await run("user", "--help");
    expect([group.code, group.out]).to.satisfy(
      ([code, text]: [number, string]) => code === 0 && text.includes("user show") && !text.includes("queue"),
    );
    const half = await run("user");
    expect([half.code, half.errors]).to.deep.equal([2, group.out]);
    expect((await run("--json", "user", "list")).out).to.equal("[]\n");
    const wrong = await Promise.all([
      run("usr"),
      run("user", "tier", "one@example.org"),
      run("backup", "--nonsense"),
      run("invite", "0"),
    ]);
    expect(wrong.map((one) => one.code)).to.deep.equal([2, 2, 2, 2]);
    expect(wrong[0]?.errors).to.contain('There is no command "usr"');
    const invalid = await bauta({ DATA_DIR: folder(), PORT: "many" }, "user", "list");
    expect([invalid.code, invalid.errors]).to.deep.equal([
      78,
      'PORT is "many"; expected a port from 0 to 65535.\n',
    ]);
  });

  it("lists, limits, suspends and deletes accounts", async () => {
    const owner = await withDatabase(async ({ db }) => {
      const one = await addOwner(db, "self_hosted");
      await addMask(db, one, { email: "shop@masks.example" });
      return one;
    });
    expect(await json("user", "list")).to.have.lengthOf(1);
    expect((await run("user", "tier", owner.email, "free")).out).to.contain("now has the tier Free");
    expect(await json("user", "show", owner.email)).to.include({ tier: "free", assignedTier: "free" });
    expect((await run("user", "tier", owner.email, "gold")).code).to.equal(2);

    expect((await run("user", "suspend", owner.email)).code).to.equal(0);
    const isActive = () =>
      withDatabase(async ({ engine }) => (await findMailRoute(engine, "shop@masks.example"))?.active);
    expect(await isActive()).to.equal(false);
    await run("user", "suspend", owner.email, "--lift");
    expect(await isActive()).to.equal(true);

    const exported = await json("export", owner.email);
    expect(exported.account.email).to.equal(owner.email);
    const asked = await run("user", "delete", owner.email);
    expect([asked.code, asked.errors]).to.satisfy(
      ([code, text]: [number, string]) => code === 1 && text.includes("Add --yes"),
    );
    expect((await run("user", "delete", owner.email, "--yes")).code).to.equal(0);
    expect(await json("user", "list")).to.deep.equal([]);
    expect((await run("user", "show", owner.email)).errors).to.contain("There is no account");
  });

  it("takes a second factor off an account with its sessions, and tells its owner by mail and in the app", async () => {
    const { owner, other } = await withDatabase(async ({ db }) => {
      const both = { owner: await addOwner(db), other: await addOwner(db) };
      for (const { id } of Object.values(both)) {
        await offerTwoFactorSecret(db, id, { secret: "sealed", now: 1 });
        await activateTwoFactor(db, id, { secret: "sealed", step: 1, now: 1 });
        await insertSession(db, {
          id: `session of ${id}`,
          userId: id,
          secretHash: id,
          userAgent: "",
          passkeyId: null,
          now: Date.now(),
          expiresAt: Date.now() + 60_000,
        });
      }
      return both;
    });
    const wrong = await run("user", "two-factor", "on", owner.email);
    expect([wrong.code, wrong.errors]).to.deep.equal([2, "Usage: bauta user two-factor off <address>\n"]);
    expect((await run("user", "two-factor", "off", owner.email)).out).to.contain(
      "without two-factor authentication",
    );
    const found = await withDatabase(async ({ db }) => ({
      sessions: await db.selectFrom("sessions").select("user_id").execute(),
      notices: await db.selectFrom("notifications").select(["user_id", "message"]).execute(),
      mails: await db.selectFrom("queue").select("recipient").execute(),
    }));
    expect(await json("user", "show", owner.email)).to.include({ twoFactor: false });
    expect(await json("user", "show", other.email)).to.include({ twoFactor: true });
    expect(found.sessions).to.deep.equal([{ user_id: other.id }]);
    expect(found.notices.map(({ user_id: id }) => id)).to.deep.equal([owner.id]);
    expect(found.notices[0]?.message).to.contain("has switched two-factor authentication off");
    expect(found.mails).to.deep.equal([{ recipient: owner.email }]);
    const again = await run("user", "two-factor", "off", owner.email);
    expect([again.code, again.errors]).to.deep.equal([
      1,
      `${owner.email} has no two-factor authentication.\n`,
    ]);
  });

  it("prints a link that signs in an account, or a named operator before the first sign-in", async () => {
    const owner = await withDatabase(({ db }) => addOwner(db, "free"));
    const { code, out } = await run("user", "link", owner.email);
    expect([code, out]).to.satisfy(([, text]: [number, string]) =>
      /^http:\/\/[^/]+\/login#sign-in=[\w-]{43}\/[^/\s]+\n$/.test(text),
    );
    const stranger = await run("user", "link", "nobody@example.org");
    expect([stranger.code, stranger.errors]).to.deep.equal([
      1,
      "There is no account with the address nobody@example.org.\n",
    ]);
    const operator = await bauta(
      { DATA_DIR: folder(), OPERATORS: "me@example.org" },
      "user",
      "link",
      "me@example.org",
    );
    expect(operator.out).to.contain("/me%40example.org\n");
    await run("user", "suspend", owner.email);
    expect((await run("user", "link", owner.email)).errors).to.contain("is suspended");
  });

  it("lets the database belong to other keys or another domain, when told to", async () => {
    const asked = await run("adopt");
    expect([asked.code, asked.errors]).to.satisfy(
      ([code, text]: [number, string]) => code === 1 && text.includes("add --yes"),
    );
    const renamed = { DATA_DIR: folder(), MASK_DOMAIN: "new.example" };
    expect((await bauta(renamed, "adopt", "--yes")).out).to.contain("and to new.example.");
    const again = await bauta(renamed, "adopt", "--yes", "--json");
    expect(JSON.parse(again.out)).to.deep.equal({ maskDomain: "new.example", earlier: "new.example" });
  });

  it("lists, retries and deletes waiting mails", async () => {
    const id = await withDatabase(({ db }) =>
      enqueue(
        db,
        {
          userId: null,
          maskId: null,
          envelopeSender: "",
          recipient: "a@b.example",
          content: Buffer.from("x"),
        },
        { now: Date.now() + 3_600_000, random: cryptoRandom },
      ),
    );
    const { domains, mails } = await json("queue", "list");
    const [mail] = mails;
    expect(mail).to.include({ id, recipient: "a@b.example", attempts: 0 });
    expect(domains).to.deep.equal([
      {
        domain: "b.example",
        sending: 0,
        due: 0,
        deferred: 1,
        held: 0,
        failed: 0,
        oldest: mail.created,
        answer: null,
      },
    ]);
    expect((await run("queue", "list")).out).to.match(/^DOMAIN .*\nb\.example +0 +0 +1 /);
    expect(await json("queue", "retry", id)).to.deep.equal({ retried: 1 });
    expect(Date.parse((await json("queue", "list")).mails[0].nextAttempt)).to.be.at.most(Date.now());
    expect((await run("queue", "retry")).code).to.equal(2);
    expect((await run("queue", "delete", id)).code).to.equal(1);
    expect((await run("queue", "delete", id, "--yes")).code).to.equal(0);
    expect(await json("queue", "list")).to.deep.equal({ domains: [], mails: [] });
  });

  it("backs up, verifies and restores, and never overwrites existing data", async () => {
    await run("seed", "--accounts", "3", "--masks", "4");
    const { file, tables } = await json("backup");
    expect(tables).to.include({ users: 3, masks: 12 });
    expect((await run("verify", file)).out).to.contain("The backup is whole");
    await run("invite");
    const over = await run("restore", file);
    expect(over.code).to.equal(1);
    expect(over.errors).to.contain("belongs to an installation already");
    const elsewhere = { DATA_DIR: join(folder(), "restored") };
    expect((await bauta(elsewhere, "restore", file)).out).to.contain("Restored ");
    expect((await bauta(elsewhere, "user", "list")).out).to.contain("3 accounts");
    const missing = await run("verify", "/nowhere.gz");
    expect([missing.code, missing.errors]).to.deep.equal([1, "/nowhere.gz: there is no such file.\n"]);
  });

  it("encrypts a backup, which only the private key with its passphrase opens", async () => {
    await run("seed", "--accounts", "3", "--masks", "4");
    const write = async (name: string, text: string): Promise<string> => {
      await writeFile(join(folder(), name), text);
      return join(folder(), name);
    };
    const { publicKey, privateKey } = await generateKey({
      userIDs: [{ name: "Backup" }],
      passphrase: "open sesame",
    });
    const [to, key] = [await write("public.asc", publicKey), await write("private.asc", privateKey)];
    const { file } = await json("backup", "--encrypt-to", to);
    expect(file).to.match(/\.gz\.pgp$/);
    expect((await readFile(file)).subarray(0, 2)).not.to.deep.equal(Buffer.from([0x1f, 0x8b]));
    expect((await run("verify", file)).errors).to.equal(
      `${file}: it is encrypted; name the private key with --decrypt-with.\n`,
    );
    const wrong = await write("wrong", "open barley\n");
    const right = await write("right", "open sesame\n");
    const withKey = ["--decrypt-with", key, "--passphrase-file"];
    expect((await run("verify", file, ...withKey, wrong)).errors).to.contain(
      "the passphrase of the key is wrong",
    );
    expect((await run("verify", file, "--decrypt-with", key)).errors).to.contain("--passphrase-file");
    expect((await run("verify", file, ...withKey, right)).out).to.contain("The backup is whole");
    const elsewhere = { DATA_DIR: join(folder(), "restored") };
    expect((await bauta(elsewhere, "restore", file, ...withKey, right)).out).to.contain("Restored ");
    expect((await bauta(elsewhere, "user", "list")).out).to.contain("3 accounts");
    const damaged = await readFile(file);
    damaged[damaged.length - 100] = (damaged[damaged.length - 100] ?? 0) ^ 1;
    await writeFile(file, damaged);
    const refused = await run("verify", file, ...withKey, right);
    expect([refused.code, refused.errors]).to.deep.equal([
      1,
      `${file}: the file is damaged or not a backup.\n`,
    ]);
    expect((await run("backup", "--encrypt-to", key)).errors).to.contain("This is a private key");
  });

  it("keeps as many backups as it is told, and nothing else is deleted", async () => {
    const backups = join(folder(), "backups");
    await run("backup");
    const others = [
      "bauta-2020-01-01T00-00-00.gz",
      "bauta-2021-01-01T00-00-00.gz.pgp",
      "before-start.gz",
      "mine.gz",
    ];
    for (const name of others) await writeFile(join(backups, name), "");
    expect((await json("backup", "--keep", "1")).deleted)
      .to.include(others[0])
      .and.to.include(others[1]);
    expect((await readdir(backups)).filter((name) => others.includes(name))).to.have.members(others.slice(2));
    expect((await run("backup", "--keep", "none")).code).to.equal(2);
    expect((await run("backup", join(folder(), "x.gz"), "--keep", "2")).code).to.equal(2);
  });

  it("leaves nothing behind when a restore fails, so that it can be repeated", async () => {
    await run("seed", "--accounts", "3", "--masks", "4");
    const { file } = await json("backup");
    const whole = await readFile(file);
    const elsewhere = { DATA_DIR: join(folder(), "restored") };
    const lines = gunzipSync(whole).toString().trimEnd().split("\n");
    await writeFile(file, gzipSync(lines.slice(0, -1).join("\n")));
    expect((await bauta(elsewhere, "restore", file)).errors).to.contain("its end is missing");
    expect(await readdir(elsewhere.DATA_DIR)).not.to.include("hashing.key");
    await writeFile(file, whole);
    expect((await bauta(elsewhere, "restore", file)).out).to.contain("Restored ");
    expect((await bauta(elsewhere, "user", "list")).out).to.contain("3 accounts");
  });

  it("writes the settings of a public server, updates them on the next run, and keeps the other settings", async () => {
    const path = join(folder(), "bauta.env");
    const setup = (...words: readonly string[]) =>
      bauta(
        { BAUTA_SETTINGS: path, DATA_DIR: folder() },
        "setup",
        "--operator",
        "me@example.com",
        "--address",
        "192.0.2.7",
        ...words,
      );
    const first = await setup("--domain", "m.example.org", "--via", "smtps://me:p%23w@mail.example.com");
    expect(first.errors).to.equal("");
    expect(first.out).to.contain("m.example.org. 3600 IN MX 10 m.example.org.");
    expect(first.out).to.contain("m.example.org. 3600 IN A 192.0.2.7");
    expect(first.out).to.contain("; 192.0.2.7: m.example.org");
    expect(first.out).to.contain("_domainkey.m.example.org. 3600 IN TXT").and.not.to.contain("dkim show");
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
    const written = await readFile(path, "utf8");
    expect(written.split("\n")).to.include.members([
      "MASK_DOMAIN=m.example.org",
      "PUBLIC_URL=https://m.example.org",
      "ACME_EMAIL=me@example.com",
      "SMTP_PORT=25",
      "SIGN_UP=invite",
    ]);
    await writeFile(path, `# my own\nBRAND="My Masks"\n${written}`);
    await setup("--domain", "n.example.org", "--sign-up", "closed");
    const again = await readFile(path, "utf8");
    expect(again).to.contain('# my own\nBRAND="My Masks"\nMASK_DOMAIN=n.example.org\n');
    expect(again)
      .to.contain("SIGN_UP=closed\n")
      .and.to.contain("NEXT_HOP=smtps://me:p%23w@mail.example.com\n");
    const refused = await setup("--domain", "not a domain");
    expect([refused.code, refused.errors]).to.satisfy(
      ([code, text]: [number, string]) => code === 78 && text.startsWith("MASK_DOMAIN is "),
    );
    expect(await readFile(path, "utf8")).to.equal(again);
  });

  it("writes the settings of a server whose mail a service hands over, those of port 25 again, and those of a mailbox", async () => {
    const path = join(folder(), "bauta.env");
    const setup = (...words: readonly string[]) =>
      bauta(
        { BAUTA_SETTINGS: path, DATA_DIR: folder() },
        ...["setup", "--operator", "me@example.com", "--domain", "m.example.org"],
        ...words,
      );
    const lineOf = async (name: string) =>
      (await readFile(path, "utf8")).split("\n").find((line) => line.startsWith(`${name}=`));
    const first = await setup("--in", "http");
    expect(first.out).to.contain("10 <the mail server of your service>");
    expect(first.out).to.contain("https://m.example.org/inbound/SECRET").and.not.to.contain("mta-sts");
    const secret = await lineOf("INBOUND_SECRET");
    expect(secret).to.match(/^INBOUND_SECRET=[0-9a-f]{64}$/);
    expect(first.out).not.to.contain(secret?.split("=")[1]);
    expect([await lineOf("SMTP_PORT"), await lineOf("SMTP_HOST")]).to.deep.equal([undefined, undefined]);
    await setup();
    expect(await lineOf("INBOUND_SECRET"), "asked again").to.equal(secret);
    await setup("--in", "port25");
    expect([await lineOf("INBOUND_SECRET"), await lineOf("SMTP_PORT")]).to.deep.equal([
      undefined,
      "SMTP_PORT=25",
    ]);
    const fetched = await bauta(
      { BAUTA_SETTINGS: path, DATA_DIR: folder(), IMAP_PASSWORD: "s3cret" },
      ...["setup", "--in", "mailbox", "--mailbox", `imap://me@127.0.0.1:${await freePort()}/INBOX`],
    );
    expect(fetched.out)
      .to.contain("PROBLEM  mailbox: ")
      .and.to.contain("10 <the mail server of your service>");
    expect([await lineOf("IMAP_PASSWORD"), await lineOf("SMTP_PORT")]).to.deep.equal([
      "IMAP_PASSWORD=s3cret",
      undefined,
    ]);
    expect((await setup("--in", "pigeons")).errors).to.contain("--in port25, --in mailbox or --in http");
    expect((await setup("--in", "http", "--url", "http://m.example.org")).errors).to.contain(
      "needs an address with https",
    );
  });

  it("shows the DKIM keys, and rotates them in two steps", async () => {
    const keys = await json("dkim", "show");
    expect(keys.map((key: { state: string }) => key.state)).to.deep.equal(["active", "active"]);
    expect((await run("dkim", "rotate")).out).to.contain("Publish these records");
    expect((await run("dkim", "rotate", "--activate")).code).to.equal(0);
    const states = (await json("dkim", "show")).map((key: { state: string }) => key.state);
    expect(states.toSorted()).to.deep.equal(["active", "active", "retired", "retired"]);
    expect((await run("dns")).out).to.contain("_domainkey.masks.localhost. 3600 IN TXT");
  });

  it("says in a sentence what is wrong with a path, a value or a mail that is not there", async () => {
    const settings = { DATA_DIR: folder(), BAUTA_SETTINGS: join(folder(), "bauta.env") };
    const missing = join(folder(), "missing");
    for (const [words, code, sentence] of [
      [
        ["backup", join(missing, "x.gz")],
        1,
        `There is no folder ${missing}. Create it, or name another file.`,
      ],
      [["backup", "/etc"], 1, "/etc is a folder. Name a file in it, such as /etc/bauta.gz."],
      [["backup", "/dev/null"], 1, "/dev/null is no file. Name one."],
      [["backup", "--encrypt-to", missing], 1, `There is no ${missing} (ENOENT).`],
      [["backup", "--encrypt-to", "/etc"], 1, "/etc is a folder, not a file (EISDIR)."],
      [["verify", missing, "--decrypt-with", "/etc"], 1, "/etc is a folder, not a file (EISDIR)."],
      [
        ["setup", "--domain", "masks.example.org", "--operator", "me@example.org", "--data-dir", "/dev/null"],
        2,
        "--data-dir: /dev/null is no folder.",
      ],
      [["restore", "/etc"], 1, "/etc: it is a folder."],
      [["verify", join(missing, "x.gz")], 1, `${join(missing, "x.gz")}: there is no such file.`],
      [["dkim", "rotate", "--activate"], 1, /^No next keys are prepared/],
      [["dns", "--address", "999.1.1.1"], 2, '--address: "999.1.1.1" is no IPv4 or IPv6 address.'],
      [["doctor", "--address", "here"], 2, '--address: "here" is no IPv4 or IPv6 address.'],
      [["dns", "--form", "other.example"], 2, /^--form: "other\.example" is no zone of /],
      [["doctor", "--time-server", "a:99999"], 2, /^--time-server: "a:99999" is no host/],
      [["queue", "delete", "abc"], 1, "There is no waiting mail abc."],
      [["queue", "delete", "abc", "--yes"], 1, "There is no waiting mail abc."],
      [["queue", "retry", "abc"], 1, "There is no waiting mail abc."],
      [["export", "nobody"], 1, "There is no account with the address nobody."],
      [["invite", "some"], 2, "The number of invitations is from 1 to 100."],
    ] as const) {
      const done = await bauta(settings, ...words);
      expect(done.code, words.join(" ")).to.equal(code);
      if (typeof sentence === "string") expect(done.errors).to.equal(`${sentence}\n`);
      else expect(done.errors).to.match(sentence);
    }
  });

  it("says its version, and that of its Node", async () => {
    const { version } = JSON.parse(
      await readFile(join(import.meta.dirname, "../../../package.json"), "utf8"),
    );
    for (const words of [["version"], ["--version"]])
      expect(await run(...words)).to.include({
        code: 0,
        out: `bauta ${version} (Node ${process.versions.node})\n`,
      });
    expect(await json("version")).to.deep.equal({ bauta: version, node: process.versions.node });
  });

  it("prints invitation links and the shell completion", async () => {
    const links = (await run("invite", "2")).out.trim().split("\n");
    expect(links).to.have.lengthOf(2);
    for (const link of links) expect(link).to.match(/^http:\/\/127\.0\.0\.1:3000\/login#invite=[\w-]{43}$/);
    const script = (await run("completion")).out;
    const completed = (...words: readonly string[]): readonly string[] => {
      const shell = `${script}\nCOMP_WORDS=(bauta "$@"); COMP_CWORD=$#; _bauta; echo "\${COMPREPLY[*]}"`;
      return execFileSync("bash", ["-c", shell, "bash", ...words], { encoding: "utf8" })
        .trim()
        .split(" ");
    };
    expect(completed("us")).to.deep.equal(["user"]);
    expect(completed("user", "")).to.deep.equal([
      "list",
      "show",
      "link",
      "tier",
      "suspend",
      "two-factor",
      "delete",
    ]);
    expect(completed("user", "delete", "me@example.org", "--y")).to.deep.equal(["--yes"]);
    expect(completed("doctor", "--bl")).to.deep.equal(["--block-lists"]);
  });
});
