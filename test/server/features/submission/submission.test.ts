import { expect } from "chai";
import { generateKey } from "openpgp";
import PostalMime from "postal-mime";
import { createLoginLimits } from "../../../../server/features/submission/loginLimits.ts";
import { bystander } from "../../support/bystander.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { type RunningListener, startListener } from "../../support/listener.ts";
import { createLogLines } from "../../support/logLines.ts";
import { addMask, addOwner, type Owner, type TestMask } from "../../support/owners.ts";
import { readQueue } from "../../support/queue.ts";
import { secrets } from "../../support/secrets.ts";
import { connectSmtp } from "../../support/smtpClient.ts";
import {
  addAppPassword,
  type RunningSubmission,
  startSubmission,
  useCertificate,
} from "../../support/submissionServer.ts";
import { until } from "../../support/until.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

const failure = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return "accepted";
  } catch (error) {
    return String((error as { response?: string }).response ?? error);
  }
};

describe("A mail program that logs in", () => {
  const certificate = useCertificate();

  onEachDatabase(({ database }) => {
    let owner: Owner;
    let mask: TestMask;
    let relay: RunningListener;
    let server: RunningSubmission;
    let password: string;
    beforeEach(async () => {
      owner = await addOwner(database().db);
      mask = await addMask(database().db, owner);
      password = await addAppPassword(database(), owner);
      relay = await startListener(database(), undefined, { secrets });
      server = await startSubmission(database(), relay, certificate());
    });
    afterEach(async () => {
      await server.close();
      await relay.close();
    });

    const program = () => server.program(owner.email, password);
    const letter = () => ({
      from: `Ada Lovelace <${mask.email}>`,
      to: "Bob <bob@shop.example>",
      subject: "An order",
      text: `Please write to ${owner.email}.`,
    });
    const queued = async () =>
      Promise.all(
        (await readQueue(database().db)).map(async (row) => ({
          ...row,
          text: row.content.toString(),
          mail: await PostalMime.parse(row.content),
        })),
      );

    it("leaves a line with its address in the operator's log when it does not know the password", async () => {
      const { log, entries } = createLogLines();
      const logged = await startSubmission(database(), relay, certificate(), { log });
      await failure(logged.program(owner.email, "wrong").sendMail(letter()));
      await logged.close();
      expect(entries().map(({ time: _, ...entry }) => entry)).to.deep.equal([
        {
          level: 30,
          refused: "submission",
          ip: "127.0.0.1",
          network: "127.0.0.1",
          msg: "a stranger was refused",
        },
      ]);
    });

    it("sends a first mail from a mask, with nothing about the owner in it", async () => {
      await program().sendMail({ ...letter(), cc: "carol@elsewhere.example", bcc: "dave@elsewhere.example" });
      const sent = await queued();
      expect(sent.map(({ recipient }) => recipient)).to.have.members([
        "bob@shop.example",
        "carol@elsewhere.example",
        "dave@elsewhere.example",
      ]);
      for (const { envelope_sender, mail, text } of sent) {
        expect(envelope_sender).to.equal(mask.email);
        expect(mail.from).to.deep.equal({ name: "", address: mask.email });
        expect(mail.to).to.deep.equal([{ name: "Bob", address: "bob@shop.example" }]);
        expect(mail.cc).to.deep.equal([{ name: "", address: "carol@elsewhere.example" }]);
        expect(mail.text).to.contain(`write to ${mask.email}`);
        expect(text).not.to.match(/home\.example|\bAda\b|Lovelace|dave@|nodemailer|127\.0\.0\.1/i);
      }
    });

    it("writes to whom the tag of the mask's address names, and not from another mask", async () => {
      const to = mask.email.replace("@", "+bob=shop.example@");
      await program().sendMail({ ...letter(), to });
      const [sent] = await queued();
      expect([sent?.recipient, sent?.mail.to?.[0]?.address]).to.deep.equal([
        "bob@shop.example",
        "bob@shop.example",
      ]);
      const other = await addMask(database().db, owner);
      const refused = await failure(program().sendMail({ ...letter(), from: other.email, to }));
      expect(refused).to.contain("BAUTA-R7");
    });

    it("writes to addresses of odd form, which it knows from mail, and to nobody behind a mail without a sender", async () => {
      const odd = ['"foo..bar."@phone.example', `${"u".repeat(100)}@lists.example`, "root@[192.0.2.1]"];
      await program().sendMail({ ...letter(), envelope: { from: mask.email, to: odd } });
      expect((await queued()).map(({ recipient }) => recipient)).to.have.members(odd);
      const nobody = "re-noaddressinthismailcanbeanswered@masks.example";
      const refused = await program()
        .sendMail({ ...letter(), envelope: { from: mask.email, to: [nobody] } })
        .catch((error: unknown) => String(error));
      expect(refused).to.contain("BAUTA-R17");
    });

    it("sends the key of its owner's address (Autocrypt) to be offered to them, and nobody else gets it", async () => {
      const { publicKey } = await generateKey({
        type: "curve25519",
        userIDs: [{ email: owner.email }],
        format: "object",
        // Before the virtual time of the relay.
        date: new Date("2026-01-01"),
      });
      const data = Buffer.from(publicKey.write()).toString("base64").replace(/.{60}/g, "$& ");
      const headers = { Autocrypt: `addr=${owner.email}; keydata=${data}` };
      await program().sendMail({ ...letter(), headers });
      const { db } = database();
      const find = () =>
        db
          .selectFrom("offered_keys")
          .where("user_id", "!=", bystander.id)
          .select(["user_id", "fingerprint"])
          .execute();
      await until("it is offered", async () => (await find()).length === 1);
      const fingerprint = publicKey.getFingerprint().toUpperCase();
      expect(await find()).to.deep.equal([{ user_id: owner.id, fingerprint }]);
      for (const { text } of await queued()) expect(text).not.to.match(/autocrypt|keydata/i);
    });

    it("may have TLS from the start, and the name of a mask as its user", async () => {
      const secure = await startSubmission(database(), relay, certificate(), { startsWithTls: true });
      await secure.program(mask.email, password.replaceAll("-", " ").toUpperCase()).sendMail(letter());
      expect(await queued()).to.have.length(1);
      await secure.close();
    });

    it("may write its user's name in capitals and between blanks, as keyboards of telephones do", async () => {
      const names = [owner.email.toUpperCase(), ` ${owner.email} `, mask.email.toUpperCase()];
      for (const name of names) await server.program(name, password).sendMail(letter());
      expect(await queued()).to.have.length(names.length);
    });

    it("gets the answers through the mask, and continues the thread by either way", async () => {
      await program().sendMail({ ...letter(), messageId: "<first@laptop.home.example>" });
      const [first] = await queued();
      const answer = [
        "From: Bob <bob@shop.example>",
        `To: ${mask.email}`,
        "Subject: Re: An order",
        "Message-ID: <answer@shop.example>",
        `In-Reply-To: ${first?.mail.messageId}`,
        "",
        "Yes.",
        "",
      ].join("\r\n");
      expect(await (await relay.connect()).mail("bob@shop.example", [mask.email], answer)).to.match(/^250/);
      const arrived = (await queued()).find(({ recipient }) => recipient === owner.email);
      expect(arrived?.mail.inReplyTo).to.equal("<first@laptop.home.example>");
      const reverse = arrived?.mail.from?.address ?? "";
      expect(reverse).to.match(/^re-/);
      const { db } = database();
      expect(
        await db.selectFrom("reverse_addresses").where("user_id", "!=", bystander.id).selectAll().execute(),
      ).to.have.length(1);
      await relay.clock.advance(1);
      await program().sendMail({
        ...letter(),
        to: reverse,
        inReplyTo: arrived?.mail.messageId ?? "",
        messageId: "<third@laptop.home.example>",
      });
      const third = (await queued()).find(({ mail }) => mail.inReplyTo === "<answer@shop.example>");
      expect(third?.recipient).to.equal("bob@shop.example");
      expect(third?.mail.to).to.deep.equal([{ name: "Bob", address: "bob@shop.example" }]);
    });

    it("is refused with a code unless the sender and From are a mask of its user that is on", async () => {
      const { db } = database();
      const other = await addMask(db, await addOwner(db));
      const off = await addMask(db, owner, { active: false });
      const refused = (from: string, envelope = from) =>
        failure(
          program().sendMail({ ...letter(), from, envelope: { from: envelope, to: "bob@shop.example" } }),
        );
      expect(await refused(owner.email)).to.match(/^550 5\.7\.1 BAUTA-R9 /);
      expect(await refused(other.email)).to.match(/^550 5\.7\.1 BAUTA-R9 /);
      expect(await refused(other.email, mask.email)).to.match(/^550 5\.7\.1 BAUTA-R9 /);
      expect(await refused(`${mask.email}, ${owner.email}`, mask.email)).to.match(/BAUTA-R9 /);
      expect(await refused(off.email)).to.match(/^550 5\.7\.1 BAUTA-R5 /);
      expect(await queued()).to.deep.equal([]);
    });

    it("reaches nobody by a reverse address of somebody else, or of another mask", async () => {
      const { db } = database();
      const reverseOf = async (to: TestMask): Promise<string> => {
        const mail = "From: Eve <eve@shop.example>\r\nSubject: x\r\n\r\nHello\r\n";
        await relay.clock.advance(1);
        await (await relay.connect()).mail("eve@shop.example", [to.email], mail);
        return (await queued()).at(-1)?.mail.from?.address ?? "";
      };
      const stranger = await reverseOf(await addMask(db, await addOwner(db)));
      const another = await reverseOf(await addMask(db, owner));
      const refused = (to: string) => failure(program().sendMail({ ...letter(), to }));
      expect(await refused(stranger)).to.match(/550 5\.1\.1/);
      expect(await refused(another)).to.match(/550 5\.7\.1 BAUTA-R7 /);
      expect(await refused(`re-${"a".repeat(32)}@masks.example`)).to.match(/550 5\.1\.1/);
    });

    it("counts against the replies of the plan's day, each recipient once", async () => {
      const day = new Date(relay.clock.now()).toISOString().slice(0, 10);
      await database().db.insertInto("daily_replies").values({ user_id: owner.id, day, sent: 48 }).execute();
      await program().sendMail({ ...letter(), cc: "carol@elsewhere.example" });
      expect(await failure(program().sendMail(letter()))).to.match(/^550 5\.7\.1 BAUTA-R3 /);
      const statistics = await database()
        .db.selectFrom("mask_statistics")
        .where("user_id", "!=", bystander.id)
        .selectAll()
        .executeTakeFirstOrThrow();
      expect(statistics.total_sent).to.equal(2);
    });

    it("needs the right app password, which works until it is revoked", async () => {
      const wrong = /^535 5\.7\.8 BAUTA-S1 /;
      const stranger = await addOwner(database().db);
      for (const [user, pass] of [
        [owner.email, "wrong"],
        [owner.email, password.replace(/.$/, (last) => (last === "a" ? "b" : "a"))],
        [stranger.email, password],
        ["", password],
      ] as const)
        expect(await failure(server.program(user || "nobody", pass).sendMail(letter()))).to.match(wrong);
      await program().sendMail(letter());
      await database().db.deleteFrom("app_passwords").where("user_id", "!=", bystander.id).execute();
      expect(await failure(program().sendMail(letter()))).to.match(wrong);
    });

    it("cannot log in without TLS, and cannot send without a login", async () => {
      const client = await connectSmtp(server.port);
      expect(await client.say("EHLO laptop"))
        .to.contain("STARTTLS")
        .and.not.to.contain("AUTH");
      const plain = base64(`\0${owner.email}\0${password}`);
      expect(await client.say(`AUTH PLAIN ${plain}`)).to.match(/^538 5\.7\.11 /);
      expect(await client.say(`MAIL FROM:<${mask.email}>`)).to.match(/^530 5\.7\.0 Start TLS/);
      client.destroy();
      const atRelay = await relay.connect();
      expect(await atRelay.say("EHLO laptop")).not.to.contain("AUTH");
      expect(await atRelay.say(`AUTH PLAIN ${plain}`)).to.match(/^502 /);
    });
  });

  describe("after failed logins", () => {
    it("waits after 20 in 15 minutes from one network, and locks nobody out for what others try", () => {
      let now = 0;
      const limits = createLoginLimits(() => now);
      const network = (n: number): string => `198.51.${Math.floor(n / 200)}.${n % 200}`;
      limits.recordAttempt("ada@home.example", "203.0.113.1")();
      for (let n = 0; n < 20; n += 1) limits.recordAttempt(`user-${n}@home.example`, "203.0.113.1");
      expect(limits.mayTry("bob@home.example", "203.0.113.1")).to.equal(false);
      expect(limits.mayTry("ADA@home.example", "203.0.113.1"), "where she has logged in").to.equal(true);
      expect(limits.mayTry("bob@home.example", "203.0.113.2")).to.equal(true);
      for (let n = 0; n < 5_000; n += 1) limits.recordAttempt("ada@home.example", network(n));
      expect(limits.mayTry("ada@home.example", "203.0.113.9"), "from a new place").to.equal(true);
      now += 15 * 60_000;
      expect(limits.mayTry("bob@home.example", "203.0.113.1")).to.equal(true);
    });
  });
});
