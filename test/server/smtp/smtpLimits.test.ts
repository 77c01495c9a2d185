import { expect } from "chai";
import { bystander } from "../support/bystander.ts";
import { useSqlite } from "../support/databases.ts";
import { addMask, addOwner } from "../support/owners.ts";
import { plainMail as mail } from "../support/plainMail.ts";
import { useRelay } from "../support/relay.ts";

describe("The limits of one mail and one connection", () => {
  const { database } = useSqlite();
  const { owner, mask, relay } = useRelay(database);

  const queued = () =>
    database()
      .db.selectFrom("queue")
      .where("user_id", "is distinct from", bystander.id)
      .select("id")
      .execute();

  it("refuse a mail over 25 MiB with 552 5.3.4 when MAIL announces its size", async () => {
    const client = await relay.connect();
    expect(await client.say("MAIL FROM:<a@b.example> SIZE=26214401")).to.match(/^552 5\.3\.4 /);
    expect(await client.say("MAIL FROM:<a@b.example> SIZE=26214400")).to.match(/^250 /);
  });

  it("refuse a mail over 25 MiB with 552 5.3.4 when its size is not announced, and keep nothing", async () => {
    const client = await relay.connect();
    const large = `${mail}${"x".repeat(998)}\r\n`.padEnd(25 * 1024 * 1024 + 1, "a line\r\n");
    expect(await client.mail("a@b.example", [mask.email], large)).to.match(/^552 5\.3\.4 /);
    expect(await queued()).to.have.lengthOf(0);
    expect(await client.mail("a@b.example", [mask.email], mail)).to.match(/^250/);
  });

  it("refuse a mail that has passed more than 100 servers with 554 5.4.6, and accept one that has passed 100", async () => {
    const client = await relay.connect();
    const hop = "Received: from a by b; Fri, 20 Nov 2026 09:00:00 +0000\r\n";
    expect(await client.mail("a@b.example", [mask.email], hop.repeat(101) + mail)).to.match(/^554 5\.4\.6 /);
    expect(await client.mail("a@b.example", [mask.email], hop.repeat(100) + mail)).to.match(/^250/);
  });

  it("refuse a mail that has passed masks twice with 554 5.4.6", async () => {
    const client = await relay.connect();
    const passed = `X-Bauta-Mask: ${mask.email}\r\n`;
    expect(await client.mail("a@b.example", [mask.email], passed + mail)).to.match(/^250/);
    expect(await client.mail("a@b.example", [mask.email], passed + passed + mail)).to.match(/^554 5\.4\.6 /);
  });

  it("refuse a header over 512 KiB with 552 5.3.4", async () => {
    const client = await relay.connect();
    const header = "X-Filler: yes\r\n".repeat(40_000);
    expect(await client.mail("a@b.example", [mask.email], header + mail)).to.match(/^552 5\.3\.4 /);
  });

  it("require that a large mail is sent to fewer recipients at a time", async () => {
    const masks = await Promise.all([1, 2, 3, 4].map(() => addMask(database().db, owner)));
    const client = await relay.connect();
    await client.say("MAIL FROM:<a@b.example> SIZE=26214400");
    const answers = [];
    for (const { email } of [mask, ...masks])
      answers.push((await client.say(`RCPT TO:<${email}>`)).slice(0, 9));
    expect(answers).to.deep.equal(["250 2.1.5", "250 2.1.5", "250 2.1.5", "250 2.1.5", "452 4.5.3"]);
  });

  it("defer the recipients after the hundredth with 452 4.5.3", async () => {
    const rich = await addOwner(database().db, "business");
    const masks = [];
    for (let count = 0; count < 101; count += 1) masks.push(await addMask(database().db, rich));
    const client = await relay.connect();
    const answers = await client.envelope(
      "a@b.example",
      masks.map(({ email }) => email),
    );
    expect(answers.slice(0, 100).every((answer) => answer.startsWith("250 "))).to.equal(true);
    expect(answers[100]).to.match(/^452 4\.5\.3 /);
  });

  it("end the connection of a client that was refused 50 times", async () => {
    const client = await relay.connect();
    await client.say("MAIL FROM:<a@b.example>");
    let last = "";
    for (let tries = 0; tries < 50; tries += 1)
      last = await client.say(`RCPT TO:<guess${tries}@masks.example>`);
    expect(last).to.match(/^550 5\.1\.1 /);
    expect(await client.reply()).to.match(/^421 4\.7\.0 /);
    await client.closed;
  });
});
