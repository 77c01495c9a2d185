import { expect } from "chai";
import { bystander } from "../support/bystander.ts";
import { useSqlite } from "../support/databases.ts";
import { addDestination, addMask } from "../support/owners.ts";
import { plainMail as mail } from "../support/plainMail.ts";
import { useRelay } from "../support/relay.ts";

describe("The SMTP server", () => {
  const { database } = useSqlite();
  const { owner, mask, relay } = useRelay(database);

  const queued = () =>
    database()
      .db.selectFrom("queue")
      .where("user_id", "is distinct from", bystander.id)
      .selectAll()
      .orderBy("created_at")
      .execute();

  it("offers PIPELINING, SIZE, 8BITMIME, SMTPUTF8, ENHANCEDSTATUSCODES and CHUNKING, and no extension it lacks", async () => {
    const client = await relay.connect("");
    const offered = (await client.say("EHLO client.example")).split("\n").map((line) => line.slice(4));
    expect(offered).to.have.members([
      "masks.example",
      "PIPELINING",
      "8BITMIME",
      "SMTPUTF8",
      "ENHANCEDSTATUSCODES",
      "SIZE 26214400",
      "CHUNKING",
    ]);
    expect(await client.say("AUTH PLAIN AGEAYg==")).to.match(/^50/);
    expect(await client.say("STARTTLS")).to.match(/^50/);
    expect(await client.say(`VRFY ${mask.email}`)).to.match(/^252 /);
  });

  it("accepts a mail to a mask, and queues it for the mask's destination", async () => {
    const client = await relay.connect();
    expect(await client.mail("orders@shop.example", [mask.email], mail)).to.equal("250 2.6.0 Queued");
    const rows = await queued();
    expect(rows.map(({ recipient, status, mask_id }) => ({ recipient, status, mask_id }))).to.deep.equal([
      { recipient: owner.email, status: "waiting", mask_id: mask.id },
    ]);
  });

  it("accepts the mask's address in any case", async () => {
    const client = await relay.connect();
    expect(await client.envelope("a@b.example", [mask.email.toUpperCase()])).to.deep.equal([
      "250 2.1.5 Accepted",
    ]);
  });

  it("refuses an unknown mask with 550 5.1.1", async () => {
    const client = await relay.connect();
    const [answer] = await client.envelope("a@b.example", ["nobody@masks.example"]);
    expect(answer).to.match(/^550 5\.1\.1 /);
  });

  it("refuses a mask that is switched off with 550 5.2.1", async () => {
    const off = await addMask(database().db, owner, { active: false });
    const client = await relay.connect();
    expect((await client.envelope("a@b.example", [off.email]))[0]).to.match(/^550 5\.2\.1 /);
  });

  it("answers 450 4.2.1 while a mask's destination is not confirmed (D33)", async () => {
    const destinationId = await addDestination(database().db, {
      owner,
      email: "other@home.example",
      confirmed: false,
    });
    const waiting = await addMask(database().db, owner, { destinationId });
    const client = await relay.connect();
    expect((await client.envelope("a@b.example", [waiting.email]))[0]).to.match(/^450 4\.2\.1 /);
  });

  it("refuses to relay for any other domain with 550 5.7.1", async () => {
    const client = await relay.connect();
    const others = [
      "a@elsewhere.example",
      "a@sub.masks.example",
      "a%elsewhere.example@other.example",
      "a@[127.0.0.1]",
    ];
    for (const answer of await client.envelope("a@b.example", others))
      expect(answer).to.match(/^550 5\.7\.1 /);
    expect((await client.envelope("a@b.example", ["a%b.example@masks.example"]))[0]).to.match(
      /^550 5\.1\.1 |^503/,
    );
  });

  it("answers for each recipient separately: the good one gets the mail", async () => {
    const client = await relay.connect();
    const answers = await client.envelope("a@b.example", ["nobody@masks.example", mask.email, "x@y.example"]);
    expect(answers.map((answer) => answer.slice(0, 9))).to.deep.equal([
      "550 5.1.1",
      "250 2.1.5",
      "550 5.7.1",
    ]);
    expect(await client.say("DATA")).to.match(/^354/);
    client.write(`${mail}.\r\n`);
    expect(await client.reply()).to.match(/^250 2\.6\.0/);
    expect(await queued()).to.have.lengthOf(1);
  });

  it("refuses the mail after the plan's last one of the month with 552 5.2.2 (D34)", async () => {
    await database()
      .db.insertInto("monthly_usage")
      .values({
        user_id: owner.id,
        month: "2026-11",
        received: 100,
        forwarded: 0,
        blocked: 0,
        announced: 100,
      })
      .execute();
    const client = await relay.connect();
    expect((await client.envelope("a@b.example", [mask.email]))[0]).to.match(/^552 5\.2\.2 /);
  });

  it("accepts pipelined commands in one write, and answers each", async () => {
    const client = await relay.connect();
    client.write(
      `MAIL FROM:<a@b.example>\r\nRCPT TO:<nobody@masks.example>\r\nRCPT TO:<${mask.email}>\r\nDATA\r\n`,
    );
    const answers = [await client.reply(), await client.reply(), await client.reply(), await client.reply()];
    expect(answers.map((answer) => answer.slice(0, 3))).to.deep.equal(["250", "550", "250", "354"]);
    client.write(`${mail}.\r\nQUIT\r\n`);
    expect([await client.reply(), await client.reply()].map((answer) => answer.slice(0, 9))).to.deep.equal([
      "250 2.6.0",
      "221 2.0.0",
    ]);
  });

  it("accepts the null sender, and SMTPUTF8 senders", async () => {
    const client = await relay.connect();
    expect(await client.mail("", [mask.email], mail)).to.match(/^250/);
    expect(await client.say("MAIL FROM:<jörg@köln.example> SMTPUTF8")).to.match(/^250/);
    const rows = await queued();
    expect(rows.map((row) => row.envelope_sender)).to.deep.equal([""]);
  });

  it("accepts senders in use whose addresses violate the grammar", async () => {
    const client = await relay.connect();
    for (const sender of ["user..name.@carrier.example", "bounce@mail_out.shop.example"])
      expect(await client.mail(sender, [mask.email], mail), sender).to.match(/^250/);
  });

  it("reveals nothing about its software", async () => {
    const client = await relay.connect("");
    const texts = [
      await client.say("EHLO client.example"),
      await client.say("HELP"),
      await client.say("NOOP"),
    ].join("\n");
    expect(texts).not.to.match(/node|nodemailer|smtp-server|bauta|\d+\.\d+\.\d+\.\d+|version/i);
  });
});
