import { expect } from "chai";
import { dayMs, minuteMs } from "../../../../core/kernel/durations.ts";
import type { Mask } from "../../../../core/masks/mask.ts";
import { findMailRoute } from "../../../../server/features/masks/findMailRoute.ts";
import { bystander } from "../../support/bystander.ts";
import type { Client } from "../../support/client.ts";
import { proveByCode } from "../../support/recentProof.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { setTier } from "../../support/tier.ts";

const other = "elsewhere@example.net";

describe("Confirmation of another destination (D33)", () => {
  let server: TestServer;
  let user: Client;

  beforeEach(async () => {
    server = await startServer();
    user = await server.signIn("owner@example.org");
    await setTier(server.database, "owner@example.org", "business");
  });
  afterEach(() => server.stop());

  const create = async (forwardTo: string, client = user): Promise<Mask> =>
    (await client.call("POST", "/masks", { body: { description: "x", forwardTo } })).json as Mask;
  const status = async (id: string): Promise<string | undefined> =>
    ((await user.call("GET", `/masks/${id}`)).json as Mask).destinationStatus;
  const link = async (email: string): Promise<string> =>
    /https?:\/\/\S+\/confirm\?token=([\w-]+)/.exec((await server.mails(email)).at(-1)?.text ?? "")?.[1] ?? "";
  const press = (token: string) =>
    server.client().call("POST", "/confirm", {
      raw: `token=${encodeURIComponent(token)}`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
  const open = (token: string) =>
    server.client().call("GET", `/confirm?token=${token}`, { headers: { accept: "text/html" } });

  it("is listed with its state and its masks, and can be requested without a mask", async () => {
    await create(other);
    const list = async () => (await user.call("GET", "/destinations")).json as { destinations: object[] };
    const [own, added] = (await list()).destinations;
    expect(own).to.deep.include({ email: "owner@example.org", status: "confirmed", masks: 0 });
    expect(added).to.deep.include({ email: other, status: "awaiting-confirmation", masks: 1 });
    const again = await user.call("POST", "/destinations", { body: { email: other } });
    expect(again.json).to.deep.include({ status: "awaiting-confirmation", confirmationSent: false });
    await press(await link(other));
    expect(await list()).to.have.nested.property("destinations[1].status", "confirmed");
    const stranger = await server.signIn("stranger@example.org");
    expect(JSON.stringify((await stranger.call("GET", "/destinations")).json)).not.to.contain(other);
    const third = await user.call("POST", "/destinations", { body: { email: "third@example.net" } });
    expect(third.json).to.deep.include({
      email: "third@example.net",
      status: "awaiting-confirmation",
      masks: 0,
      confirmationSent: true,
    });
    expect(await server.mails("third@example.net")).to.have.length(1);
  });

  it("is complete only after the button behind the mailed link is pressed", async () => {
    const mask = await create(other);
    expect(mask).to.include({ forwardTo: other, destinationStatus: "awaiting-confirmation" });
    expect((await findMailRoute(server.database.engine, mask.maskEmail))?.confirmed).to.equal(false);
    expect(await server.mails(other)).to.have.length(1);

    const token = await link(other);
    const page = await open(token);
    expect(page.status).to.equal(200);
    expect(page.text).to.contain(other).and.to.contain('<form method="post" action="./confirm">');
    expect(await status(mask.id), "a program that follows links lets nothing through").to.equal(
      "awaiting-confirmation",
    );

    const pressed = await press(token);
    expect(pressed.status).to.equal(200);
    expect(pressed.text).to.contain("Confirmed");
    expect(await status(mask.id)).to.equal("confirmed");
    expect((await findMailRoute(server.database.engine, mask.maskEmail))?.confirmed).to.equal(true);

    expect((await open(token)).text, "opened again").to.contain("Confirmed");
    expect((await press(token)).status, "pressed again").to.equal(200);
    expect((await create(other)).destinationStatus, "the next mask").to.equal("confirmed");
    expect(await server.mails(other), "and no second mail").to.have.length(1);
  });

  it("is announced once to the open pages of the owner", async () => {
    await create(other);
    const token = await link(other);
    const events = () =>
      server.database.db
        .selectFrom("events")
        .where("user_id", "!=", bystander.id)
        .select(["resource_id", "action"])
        .orderBy("id")
        .execute();
    const before = await events();
    await press(token);
    await press(token);
    expect((await events()).slice(before.length)).to.deep.equal([{ resource_id: null, action: "updated" }]);
  });

  it("is not required for the account's own address in any spelling", async () => {
    expect((await create("Owner@Example.ORG")).destinationStatus).to.equal("confirmed");
    expect(await server.mails("Owner@Example.ORG")).to.have.length(0);
  });

  it("is requested by each user separately: the consent to one user does not apply to another", async () => {
    await create(other);
    await press(await link(other));
    const second = await server.signIn("second@example.org");
    expect((await create(other, second)).destinationStatus).to.equal("awaiting-confirmation");
    expect(await server.mails(other)).to.have.length(2);
  });

  it("is required again when a mask gets a new address, and the old one receives nothing more", async () => {
    const mask = await create("owner@example.org");
    const turned = await user.call("PUT", `/masks/${mask.id}`, { body: { forwardTo: other } });
    expect(turned.json).to.include({ forwardTo: other, destinationStatus: "awaiting-confirmation" });
    const route = await findMailRoute(server.database.engine, mask.maskEmail);
    expect(route).to.include({ destination: other, confirmed: false });
    await press(await link(other));
    expect(await status(mask.id)).to.equal("confirmed");
  });

  it("is requested again when the mask is saved again, after 10 minutes and then less and less often", async () => {
    const mask = await create(other);
    const received: unknown[] = [];
    const save = async () => {
      const answer = await user.call("PUT", `/masks/${mask.id}`, { body: { forwardTo: other } });
      received.push((answer.json as Mask).confirmationSent);
    };
    const sent = async (): Promise<number> => (await server.mails(other)).length;
    await save();
    expect(await sent(), "at once").to.equal(1);
    server.clock.advance(10.1 * minuteMs);
    const older = await link(other);
    await save();
    expect(await sent(), "after 10 minutes").to.equal(2);
    server.clock.advance(10.2 * minuteMs);
    await user.refresh();
    await save();
    expect(await sent(), "after 10 more").to.equal(3);
    server.clock.advance(10 * minuteMs);
    await save();
    expect(await sent(), "now it takes 20").to.equal(3);
    server.clock.advance(10.5 * minuteMs);
    await user.refresh();
    await save();
    expect(await sent()).to.equal(4);
    expect(received, "as its owner was told").to.deep.equal([false, true, true, false, true]);
    expect((await press(older)).status, "only the newest link works").to.equal(404);
    expect((await press(await link(other))).status).to.equal(200);
  });

  it("uses a link that works for 7 days, and an expired link says what to do", async () => {
    await create(other);
    const token = await link(other);
    server.clock.advance(7 * dayMs);
    for (const dead of [await open(token), await press(token), await open("invented"), await press("")]) {
      expect(dead.status).to.equal(404);
      expect(dead.text).to.contain("save it again");
    }
  });

  it("cannot flood strangers: ten new addresses a day for one user, also in parallel", async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        user.call("POST", "/masks", { body: { description: "x", forwardTo: `victim${n}@example.net` } }),
      ),
    );
    expect(answers.filter(({ status: code }) => code === 201)).to.have.length(10);
    const refused = answers.filter(({ status: code }) => code === 429);
    expect(refused).to.have.length(20);
    expect(Number(refused[0]?.headers.get("retry-after"))).to.be.above(0);
    const mails = (await server.mails()).filter(({ recipient }) => recipient.startsWith("victim"));
    expect(mails).to.have.length(10);
    server.clock.advance(dayMs);
    await user.refresh();
    await proveByCode(server, user, "owner@example.org");
    expect((await create("tomorrow@example.net")).destinationStatus).to.equal("awaiting-confirmation");
  });

  it("cannot flood one mailbox through many users: it gets five of our mails an hour", async () => {
    const users = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => server.signIn(`many${n}@example.org`)));
    const ask = (asking: Client, forwardTo: string) =>
      asking.call("POST", "/masks", { body: { description: "x", forwardTo } });
    for (const asking of users.slice(0, 5)) expect((await ask(asking, other)).status).to.equal(201);
    const [, , , , , last] = users;
    if (!last) throw new Error("nobody is left");
    for (const address of [other, other.replace("@", "+tag@")]) {
      const refused = await ask(last, address);
      expect(refused.status).to.equal(429);
      expect(refused.json)
        .to.have.property("message")
        .that.matches(/many emails from this server already\. Try again in \d+ minutes?\./);
    }
    expect(await server.mails(other)).to.have.length(5);
    server.clock.advance(61 * minuteMs);
    await last.refresh();
    await proveByCode(server, last, "many6@example.org");
    expect((await ask(last, other)).status).to.equal(201);
  });

  it("is refused for the address of a mask, because mail would loop", async () => {
    const mask = await create("owner@example.org");
    for (const forwardTo of [mask.maskEmail, "anything@MASKS.TEST"]) {
      const answer = await user.call("POST", "/masks", { body: { description: "x", forwardTo } });
      expect(answer.status).to.equal(400);
      expect(answer.json).to.have.nested.property("errors[0].field", "forwardTo");
    }
    expect(
      (await user.call("PUT", `/masks/${mask.id}`, { body: { forwardTo: mask.maskEmail } })).status,
    ).to.equal(400);
  });

  it("shows the address escaped, and keeps the link out of headers that other sites see", async () => {
    const odd = "<script>alert(1)</script>";
    const page = await open(encodeURIComponent(odd));
    expect(page.text).not.to.contain("<script");
    await create("o'brien&co@example.net");
    const good = await open(await link("o'brien&co@example.net"));
    expect(good.text).to.contain("o&#39;brien&amp;co@example.net");
    expect(good.headers.get("referrer-policy")).to.equal("same-origin");
    expect(good.headers.get("content-security-policy")).to.contain("frame-ancestors 'none'");
  });
});
