import { expect } from "chai";
import * as E from "fp-ts/lib/Either.js";
import { createHeld, type Held } from "../../../core/held/held.ts";
import type { HeldMail } from "../../../core/held/heldMail.ts";
import { type AppOnFakes, startApp } from "../../fakes/appOnFakes.ts";
import type { Answer, ReceivedRequest } from "../../fakes/fakeHttp.ts";
import { createMask } from "../../fakes/productServer.ts";
import { settled } from "../../fakes/virtualClock.ts";

const mailsOnPage = 2;

const createHeldMail = (id: string): HeldMail => ({
  id,
  maskId: "a",
  direction: "received",
  reason: "refused",
  from: { name: "Shop", address: "orders@shop.example" },
  subject: `Order ${id}`,
  recipient: "ada@example.org",
  size: 1_000,
  answer: "554 5.7.1 no",
  held: "2026-11-20T08:00:00.000Z",
  until: "2026-11-27T08:00:00.000Z",
});

describe("The list of held mail", () => {
  let fakes: AppOnFakes;
  let held: Held;
  let ids: readonly string[];
  beforeEach(async () => {
    ids = ["m5", "m4", "m3", "m2", "m1"];
    fakes = await startApp({ masks: [createMask("a")] });
    fakes.server.on("GET", "/held", ({ url }: ReceivedRequest): Answer => {
      const query = new URL(url, "https://app.example").searchParams;
      const older = ids.slice(ids.indexOf(query.get("before") ?? "") + 1);
      const mails: unknown[] = older.slice(0, mailsOnPage).map(createHeldMail);
      return { json: { mails, more: older.length > mailsOnPage } };
    });
    held = fakes.signedIn().feature(createHeld);
    await settled();
    fakes.sockets.latest().accept();
    fakes.sockets.latest().push({ type: "auth_response", data: { success: true } });
    await settled();
  });
  afterEach(() => fakes.stop());

  const listed = () => held.view$.value.mails?.map(({ id }) => id);
  const requestCount = (): number => fakes.server.requestsTo("GET /held").length;
  const move = async (): Promise<void> => {
    fakes.sockets.latest().push({ type: "data_update", data: { resource: "held", action: "created" } });
    await settled();
  };
  const open = async (maskId: string | null = null): Promise<() => void> => {
    const close = held.open(maskId);
    await settled();
    return close;
  };

  it("sends a refused reply through its mask again, and says that it is being sent", async () => {
    await open();
    fakes.server.on("POST", "/held/m5/send-again", (): Answer => ({ json: {} }));
    const [mail] = held.view$.value.mails ?? [];
    ids = ids.filter((id) => id !== "m5");
    const result = mail && (await held.release({ ...mail, direction: "sent", reason: "unsent" })());
    expect(result && E.isRight(result)).to.equal(true);
    await settled();
    expect(listed()).to.deep.equal(["m4", "m3"]);
    expect(fakes.server.requestsTo("POST /held/m5/release")).to.deep.equal([]);
  });

  it("shows the newest mails, and older ones page by page", async () => {
    await open();
    expect([listed(), held.view$.value.more]).to.deep.equal([["m5", "m4"], true]);
    await held.showOlder()();
    await held.showOlder()();
    expect([listed(), held.view$.value.more]).to.deep.equal([["m5", "m4", "m3", "m2", "m1"], false]);
  });

  it("asks for one mask where one was chosen", async () => {
    await open("a");
    expect(fakes.server.requestsTo("GET /held").at(-1)?.url).to.contain("maskId=a");
    await open(null);
    expect(fakes.server.requestsTo("GET /held").at(-1)?.url).not.to.contain("maskId");
  });

  it("follows changes while it is open, at most every 2,000 ms, and not afterwards", async () => {
    const close = await open();
    ids = ["m6", ...ids];
    for (let mail = 0; mail < 5; mail += 1) await move();
    await fakes.clock.advance(2_000);
    expect(listed()).to.deep.equal(["m6", "m5"]);
    expect(requestCount()).to.equal(2);
    close();
    await move();
    await fakes.clock.advance(5_000);
    expect(requestCount()).to.equal(2);
  });

  it("drops a mail that is sent or deleted, and says so", async () => {
    fakes.server.on("POST", "/held/:id/release", ({ params, body }) => {
      ids = ids.filter((id) => id !== params["id"]);
      return { json: { body } };
    });
    fakes.server.on("POST", "/held/:id/delete", ({ params }) => {
      ids = ids.filter((id) => id !== params["id"]);
      return { json: {} };
    });
    await open();
    expect(E.isRight(await held.release(createHeldMail("m5"), "bea@example.org")())).to.equal(true);
    expect(fakes.server.requestsTo("POST /held/m5/release").at(-1)?.body).to.deep.equal({
      to: "bea@example.org",
    });
    expect(E.isRight(await held.remove(createHeldMail("m4"))())).to.equal(true);
    await settled();
    expect(listed()).to.deep.equal(["m3", "m2"]);
    expect(fakes.app.toasts.list$.value.map(({ text }) => text)).to.deep.equal([
      "The email is being sent to bea@example.org",
      "The email was deleted",
    ]);
  });

  it("decides about several one after the other, with one message, and says which stay held and why", async () => {
    const seen: unknown[] = [];
    fakes.server.on("POST", "/held/:id/release", ({ params }) => {
      seen.push(held.batch$.value.progress);
      if (params["id"] === "m4") return { status: 404, json: { message: "This email is no longer held." } };
      ids = ids.filter((id) => id !== params["id"]);
      return { json: {} };
    });
    await open();
    await held.decideAll("release", ["m5", "m4", "m3"].map(createHeldMail))();
    await settled();
    expect(seen).to.deep.equal([0, 1, 2].map((done) => ({ decision: "release", done, total: 3 })));
    const { progress, failures } = held.batch$.value;
    expect([progress, failures.map(({ mail, message }) => [mail.id, message])]).to.deep.equal([
      null,
      [["m4", "This email is no longer held."]],
    ]);
    expect(fakes.app.toasts.list$.value.map(({ text }) => text)).to.deep.equal([
      "1 of 3 emails could not be sent",
    ]);
  });

  it("stops deciding about several when there is no connection", async () => {
    await open();
    fakes.server.cutOff(true);
    await held.decideAll("delete", ["m5", "m4"].map(createHeldMail))();
    await settled();
    expect(held.batch$.value.failures.map(({ mail }) => mail.id)).to.deep.equal(["m5", "m4"]);
    expect(fakes.server.requestsTo("POST /held/m4/delete")).to.deep.equal([]);
    expect(listed()).to.deep.equal(["m5", "m4"]);
  });

  it("reads a mail without releasing it", async () => {
    fakes.server.on("GET", "/held/:id/content", ({ params }) => ({
      json: { content: `of ${params["id"]}` },
    }));
    await open();
    expect(await held.read({ id: "m5" })()).to.deep.equal(E.right("of m5"));
    expect(listed()).to.deep.equal(["m5", "m4"]);
  });

  it("keeps a mail that could not be sent, with the reason", async () => {
    fakes.server.on("POST", "/held/:id/release", {
      status: 400,
      json: { message: "Choose one of your confirmed addresses." },
    });
    await open();
    const result = await held.release(createHeldMail("m5"), "eve@example.org")();
    expect(E.isLeft(result) && result.left.message).to.equal("Choose one of your confirmed addresses.");
    expect(listed()).to.deep.equal(["m5", "m4"]);
  });

  it("says how many mails could not be shown, and shows the others", async () => {
    fakes.server.on("GET", "/held", {
      json: { mails: [createHeldMail("m1"), { id: "m2", reason: "odd" }], more: false },
    });
    await open();
    expect(listed()).to.deep.equal(["m1"]);
    expect(held.view$.value.leftOut).to.equal("1 mail could not be shown.");
  });

  const leave = async (): Promise<void> => {
    await fakes.clock.advance(86_400_000);
    const { storage, clock, server, online$, product } = fakes;
    fakes.stop();
    server.cutOff(true);
    online$.set(false);
    fakes = await startApp({ storage, clock, server, online$, product });
    held = fakes.signedIn().feature(createHeld);
  };

  it("is known to be old because the server failed, and not the connection", async () => {
    const seenAt = fakes.clock.now();
    (await open())();
    await fakes.clock.advance(86_400_000);
    fakes.server.on("GET", "/held", { status: 503, json: { message: "Down" } });
    await open();
    expect([listed(), held.outdated$.value]).to.deep.equal([["m5", "m4"], { isOnline: true, asOf: seenAt }]);
  });

  it("is that of the last visit without a connection, of all masks or one, and says as of when", async () => {
    const seenAt = fakes.clock.now();
    (await open())();
    await leave();
    await open();
    expect([listed(), held.outdated$.value]).to.deep.equal([["m5", "m4"], { isOnline: false, asOf: seenAt }]);
    await open("a");
    expect(listed()).to.deep.equal(["m5", "m4"]);
    await open("b");
    expect(listed()).to.equal(undefined);
  });

  it("is current again by itself when the connection returns", async () => {
    (await open())();
    await leave();
    await open();
    ids = ["m6"];
    fakes.server.cutOff(false);
    fakes.online$.set(true);
    await fakes.clock.advance(2_000);
    expect([listed(), held.outdated$.value]).to.deep.equal([["m6"], null]);
  });

  it("is stored for its owner alone, until they log out", async () => {
    await open();
    expect(fakes.storage.local.read("cached_held")).to.contain("orders@shop.example");
    await fakes.app.session.logOut()();
    expect(fakes.storage.local.read("cached_held")).to.equal(null);
  });
});
