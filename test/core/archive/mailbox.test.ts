import { expect } from "chai";
import * as E from "fp-ts/lib/Either.js";
import { maxKeptCharacters } from "../../../core/archive/keptCopies.ts";
import { createMailbox, type Mailbox } from "../../../core/archive/mailbox.ts";
import { type AppOnFakes, startApp } from "../../fakes/appOnFakes.ts";
import type { Answer, ReceivedRequest } from "../../fakes/fakeHttp.ts";
import { fakeSeal } from "../../fakes/fakeKeyring.ts";
import { createMask } from "../../fakes/productServer.ts";
import { settled } from "../../fakes/virtualClock.ts";

const mail = (id: string, body = "It should reach you on Tuesday."): string =>
  [
    `From: Shop ${id} <re-aaaa@masks.example>`,
    `Subject: Order ${id}`,
    `Message-ID: <${id}@shop.example>`,
    "Date: Fri, 20 Nov 2026 09:00:00 +0000",
    "",
    body,
  ].join("\r\n");

describe("Mail that stays in the app", () => {
  let fakes: AppOnFakes;
  let mailbox: Mailbox;
  let mails: Map<string, string>;
  let sizes: Map<string, number>;
  /** The ids of mails that the server has as they came. */
  let readable: Set<string>;
  beforeEach(async () => {
    mails = new Map(["m3", "m2", "m1"].map((id) => [id, mail(id)]));
    sizes = new Map();
    readable = new Set();
    fakes = await startApp({ masks: [createMask("a"), createMask("b")] });
    fakes.server.on("GET", "/archive", ({ url }: ReceivedRequest): Answer => {
      const maskId = new URL(url, "https://app.example").searchParams.get("maskId");
      const listed = [...mails.keys()].map((id) => ({
        id,
        maskId: id === "m1" ? "b" : "a",
        size: sizes.get(id) ?? 1_000,
        read: false,
        archived: "2026-11-20T09:00:00.000Z",
      }));
      return {
        json: {
          mails: listed.filter((one) => maskId === null || one.maskId === maskId),
          more: false,
          storage: { used: 3_000, limit: 1_000_000 },
        },
      };
    });
    const created = await fakes.ports.keyring.create("ada@example.org")();
    if (E.isLeft(created)) throw new Error(created.left);
    const { publicKey } = created.right;
    fakes.server.on("GET", "/archive/:id/copy", async ({ params }: ReceivedRequest): Promise<Answer> => {
      const id = params["id"] ?? "";
      const content = mails.get(id);
      if (content === undefined)
        return { status: 404, json: { message: "This email is no longer in your archive." } };
      const stored = readable.has(id) ? Buffer.from(content) : await fakeSeal(content, publicKey);
      return { json: { content: Buffer.from(stored).toString("base64") } };
    });
    mailbox = fakes.signedIn().feature(createMailbox);
    await settled();
  });
  afterEach(() => fakes.stop());

  const open = async (maskId: string | null = null): Promise<void> => {
    mailbox.open(maskId);
    await settled();
  };
  const view = () => mailbox.view$.value;
  const subjects = () => view().mails?.map(({ summary }) => summary?.subject ?? null);
  const asked = (): readonly string[] =>
    [...mails.keys()].flatMap((id) =>
      fakes.server.requestsTo(`GET /archive/${id}/copy`).map(({ url }) => url),
    );
  const copies = (): number => asked().length;

  it("has no subjects before it is opened on this device, and then those of all that are not too large", async () => {
    sizes.set("m2", 3_000_000);
    await open();
    expect(subjects()).to.deep.equal([null, null, null]);
    await mailbox.openListed()();
    expect(subjects()).to.deep.equal(["Order m3", null, "Order m1"]);
    expect(view()).to.include({ total: 3, searchable: 2 });
    expect(view().mails?.every(({ read }) => !read)).to.equal(true);
    expect(asked().every((url) => url.includes("keepUnread=true"))).to.equal(true);
  });

  it("is found by the text of formatted mail, however long the style sheets before it are", async () => {
    const formatted = `<style>${"p{color:#123}".repeat(2_000)}</style><p>Tulips</p>`;
    mails.set("m2", mail("m2", formatted).replace("\r\n\r\n", "\r\nContent-Type: text/html\r\n\r\n"));
    await open();
    await mailbox.openListed()();
    mailbox.search("tulips");
    expect(view().mails?.map(({ id }) => id)).to.deep.equal(["m2"]);
    mailbox.search("color");
    expect(view().mails).to.deep.equal([]);
  });

  it("is found by words of sender, subject and text, without case and accents", async () => {
    mails.set("m2", mail("m2", "Grüße aus Köln"));
    await open();
    await mailbox.openListed()();
    mailbox.search("KOLN gruße");
    expect(view().mails?.map(({ id }) => id)).to.deep.equal(["m2"]);
    mailbox.search("order tuesday");
    expect(view().mails?.map(({ id }) => id)).to.deep.equal(["m3", "m1"]);
    mailbox.search("nothing");
    expect(view()).to.deep.include({ mails: [], total: 3 });
    mailbox.search("");
    expect(view().mails).to.have.lengthOf(3);
  });

  it("of one mask is listed alone", async () => {
    await open("b");
    expect(view().mails?.map(({ id }) => id)).to.deep.equal(["m1"]);
  });

  it("is read, marked as read, and read again without a connection", async () => {
    await open();
    const first = await mailbox.read("m3")();
    expect(E.isRight(first) && first.right.opened.text).to.equal("It should reach you on Tuesday.");
    expect(view().mails?.[0]).to.include({ read: true, isHere: true });
    fakes.server.on("GET", "/archive/:id/copy", "unreachable");
    fakes.online$.set(false);
    const again = await mailbox.read("m3")();
    expect(E.isRight(again) && again.right.opened.messageId).to.equal("<m3@shop.example>");
    expect(view().mails?.[1]).to.include({ isHere: false });
  });

  it("is listed without a connection after a reload, with what was opened", async () => {
    await open();
    await mailbox.openListed()();
    const { storage } = fakes;
    fakes.stop();
    const { keys } = fakes;
    fakes = await startApp({
      keys,
      before: (next) => {
        for (const key of storage.local.keys()) next.storage.local.write(key, storage.local.read(key) ?? "");
        next.server.on("GET", "/archive", "unreachable");
      },
    });
    mailbox = fakes.signedIn().feature(createMailbox);
    await settled();
    await open();
    fakes.server.on("GET", "/archive", "unreachable");
    await mailbox.openListed()();
    expect(subjects()).to.deep.equal(["Order m3", "Order m2", "Order m1"]);
  });

  it("keeps the mails that were opened last within its room on the device", async () => {
    const large = "x".repeat(maxKeptCharacters / 4);
    mails = new Map(["m5", "m4", "m3", "m2", "m1"].map((id) => [id, mail(id, large)]));
    await open();
    await mailbox.openListed()();
    const here = view().mails?.flatMap(({ id, isHere }) => (isHere ? [id] : []));
    expect(here).to.deep.equal(["m2", "m1"]);
  });

  it("stays on the device only as it is encrypted", async () => {
    readable.add("m3");
    await open();
    await mailbox.openListed()();
    await mailbox.read("m3")();
    expect(view().mails?.map(({ isHere }) => isHere)).to.deep.equal([false, true, true]);
    expect(subjects()).to.deep.equal(["Order m3", "Order m2", "Order m1"]);
  });

  it("is asked for once, however often the list is opened", async () => {
    await open();
    await mailbox.openListed()();
    await open("a");
    await mailbox.openListed()();
    expect(copies()).to.equal(3);
  });

  it("says why a device without the key opens none, after one attempt", async () => {
    await open();
    fakes.keys.refuseAll("no-such-key");
    await mailbox.openListed()();
    expect(copies()).to.equal(1);
    const result = await mailbox.read("m3")();
    expect(E.isLeft(result) && result.left.message).to.contain("This device does not hold the key");
  });

  it("is deleted, also from this device, with a toast", async () => {
    await open();
    await mailbox.openListed()();
    fakes.server.on("DELETE", "/archive/:id", ({ params }: ReceivedRequest): Answer => {
      mails.delete(params["id"] ?? "");
      return { json: {} };
    });
    await mailbox.remove("m3")();
    await settled();
    expect(view().mails?.map(({ id }) => id)).to.deep.equal(["m2", "m1"]);
    expect(fakes.app.toasts.list$.value.map(({ text }) => text)).to.include("The email was deleted");
    expect(fakes.storage.local.read("cached_mailbox")).not.to.contain('"m3"');
  });

  it("is exported as one mbox, as it is stored, with lines that begin with From quoted", async () => {
    readable.add("m1");
    mails = new Map([["m1", mail("m1", "From here\r\n>From there\r\nend")]]);
    await open();
    const result = await mailbox.exportListed()();
    const text = E.isRight(result) ? Buffer.from(result.right).toString() : "";
    expect(text.startsWith("From MAILER-DAEMON Fri Nov 20 09:00:00 2026\nFrom: Shop m1")).to.equal(true);
    expect(text.endsWith("\n\n>From here\n>>From there\nend\n\n")).to.equal(true);
    expect(text).not.to.contain("\r");
  });

  it("is answered from its mask, or says why not", async () => {
    await open();
    const answer = { to: "re-aaaa@masks.example", subject: "Re: Order", text: "Yes." };
    fakes.server.on("POST", "/masks/:id/mails", { status: 201, json: {} });
    expect(E.isRight(await mailbox.reply("a", answer)())).to.equal(true);
    expect(fakes.server.requestsTo("POST /masks/a/mails").map(({ body }) => body)).to.deep.equal([answer]);
    expect(fakes.app.toasts.list$.value.map(({ text }) => text)).to.include("Your answer is being sent");
    const message = "It is not sent: BAUTA-R5 The mask is switched off.";
    fakes.server.on("POST", "/masks/:id/mails", { status: 409, json: { message } });
    const refused = await mailbox.reply("a", answer)();
    expect(E.isLeft(refused) && refused.left.message).to.equal(message);
  });

  it("is gone from the device after a logout", async () => {
    await open();
    await mailbox.openListed()();
    expect(fakes.storage.local.read("cached_mailbox")).not.to.equal(null);
    await fakes.app.session.logOut()();
    await settled();
    expect(fakes.storage.local.read("cached_mailbox")).to.equal(null);
  });
});
