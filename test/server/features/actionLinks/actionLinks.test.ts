import { expect } from "chai";
import PostalMime from "postal-mime";
import { dayMs } from "../../../../core/kernel/durations.ts";
import { bystander } from "../../support/bystander.ts";
import { adaEmail, type HeldServer, letter, startHeldServer } from "../../support/heldServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";
import { until } from "../../support/until.ts";

const publicUrl = "http://bauta.test";
const shop = "orders@shop.example";

for (const store of everyStore)
  describe(`The links in forwarded mail, on ${store.name}`, () => {
    let here: HeldServer;

    before(requireStore(store));
    beforeEach(async () => {
      here = await startHeldServer(store, { publicUrl });
    });
    afterEach(() => here?.stop());

    const choose = (actionLinks: string) =>
      here.ada.call("PUT", "/account/profile", { body: { actionLinks } });
    /** Sends a mail and returns it as it was forwarded. */
    const forward = async (content = letter(`Shop <${shop}>`), to = here.mask.maskEmail): Promise<string> => {
      const forwarded = () =>
        here.sink.mails
          .map((mail) => mail.content.toString())
          .filter((mail) => mail.includes("X-Bauta-Mask:"));
      const count = forwarded().length;
      expect(await here.send(shop, content, to)).to.match(/^250/);
      here.delivery.wake();
      await until("it is delivered", async () => forwarded().length > count);
      return forwarded().at(-1) ?? "";
    };
    const urlsIn = (mail: string): readonly URL[] =>
      (mail.replaceAll("&amp;", "&").match(/http:\/\/bauta\.test\/mask-action\/[^\s<>"]+/g) ?? []).map(
        (url) => new URL(url),
      );
    const linkFor = (mail: string, action: string): URL => {
      const url = urlsIn(mail).find(({ searchParams }) => searchParams.get("do") === action);
      if (!url) throw new Error(`no link for ${action} in ${mail}`);
      return url;
    };
    const headers = { accept: "text/html" };
    const open = (url: URL) => here.server.client().call("GET", `${url.pathname}${url.search}`, { headers });
    const press = (path: string, fields: URLSearchParams | string) =>
      here.server.client().call("POST", path, {
        raw: fields.toString(),
        headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
      });
    const use = (url: URL) => press(url.pathname, url.searchParams);
    /** Presses the button of a page. */
    const pressOn = (page: string) => {
      const path = /action="\.([^"]+)"/.exec(page)?.[1] ?? "";
      const fields = Array.from(
        page.matchAll(/name="([^"]+)" value="([^"]*)"/g),
        ([, name = "", value = ""]) => [name, value],
      );
      return press(path, new URLSearchParams(fields));
    };
    const mask = async () => {
      await here.ada.refresh();
      const { json } = await here.ada.call("GET", `/masks/${here.mask.id}`);
      return json as { active?: boolean; senders?: { allow: string[]; block: string[] } };
    };
    const notifications = async (): Promise<readonly string[]> => {
      await here.ada.refresh();
      const { json } = await here.ada.call("GET", "/notifications?limit=10");
      return (json as { notifications: { message: string }[] }).notifications.map(({ message }) => message);
    };

    it("are in no mail before the owner wants them", async () => {
      const mail = await forward();
      expect(mail).not.to.contain("mask-action");
      expect(mail.slice(mail.indexOf("\r\n\r\n") + 4)).to.equal("It is on its way.\r\n");
    });

    it("are below the text or in the header, as the account or the mask says", async () => {
      await choose("footer");
      const below = await PostalMime.parse(await forward());
      expect(below.text).to.match(
        /^It is on its way\.\n\n---\nThis email came to your mask \S+\.\nSwitch off this mask: http\S+\nBlock orders@shop\.example: http\S+\n$/,
      );
      await here.ada.call("PUT", `/masks/${here.mask.id}`, { body: { settings: { actionLinks: "header" } } });
      const inHeader = await forward();
      const [head = "", text] = inHeader.split("\r\n\r\n");
      expect(text).to.equal("It is on its way.\r\n");
      expect(head)
        .to.match(/^X-Bauta-Switch-Off:\r\n <http\S+>\r\n/m)
        .and.match(/^X-Bauta-Block-Sender:\r\n </m);
      await here.ada.call("PUT", `/masks/${here.mask.id}`, { body: { settings: { actionLinks: "off" } } });
      expect(await forward()).not.to.contain("mask-action");
    });

    it("are in the header alone of the further copies of a large mail, which would each be kept in memory", async () => {
      await choose("footer");
      const other = (await here.ada.call("POST", "/masks", { body: { description: "Other" } }))
        .json as HeldServer["mask"];
      const file = "QUJD".repeat(19).concat("\r\n").repeat(40_000);
      const large = letter(`Shop <${shop}>`, ['Content-Type: multipart/mixed; boundary="b"'])
        .replace("It is on", "--b\r\n\r\nIt is on")
        .concat(
          `--b\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n${file}--b--\r\n`,
        );
      const client = await here.relay.connect();
      expect(await client.mail(shop, [here.mask.maskEmail, other.maskEmail], large)).to.match(/^250/);
      client.destroy();
      here.delivery.wake();
      const copies = () =>
        here.sink.mails.map(({ content }) => content.toString()).filter((mail) => mail.includes(file));
      await until("both are delivered", async () => copies().length === 2);
      const places = copies().map((mail) => [
        mail.includes("\r\nX-Bauta-Switch-Off:"),
        mail.includes("\r\nSwitch off this mask: "),
      ]);
      expect(places).to.have.deep.members([
        [false, true],
        [true, false],
      ]);
    });

    it("name where a list is left, and are in the header alone where the mail is signed", async () => {
      await choose("footer");
      const list = letter(`Shop <${shop}>`, [
        "List-Unsubscribe: <mailto:u@shop.example>, <https://shop.example/u?id=7>",
      ]);
      expect(await forward(list)).to.contain(
        "\r\nUnsubscribe at shop.example: https://shop.example/u?id=7\r\n",
      );
      const signed = letter(`Shop <${shop}>`, ['Content-Type: multipart/signed; boundary="b"']);
      const mail = await forward(signed);
      expect(mail).to.match(/^X-Bauta-Switch-Off:/m);
      expect(mail.slice(mail.indexOf("\r\n\r\n") + 4)).to.equal("It is on its way.\r\n");
    });

    it("say what they do, do it once pressed, and take it back", async () => {
      await choose("footer");
      const url = linkFor(await forward(), "switch-off");
      const page = await open(url);
      expect(page.status).to.equal(200);
      expect(page.text).to.contain("Switch off this mask?").and.to.contain(here.mask.maskEmail);
      expect(page.text).to.contain('name="robots" content="noindex"').and.not.to.contain("<script");
      expect(page.text, "the page of the mask in the app").to.contain(`href="./#mask?id=${here.mask.id}"`);
      expect((await mask()).active, "opening changes nothing").to.equal(true);
      const done = await pressOn(page.text);
      expect(done.text).to.contain("The mask is switched off");
      expect((await mask()).active).to.equal(false);
      expect((await use(url)).status, "again").to.equal(200);
      expect((await pressOn(done.text)).text).to.contain("The mask is switched on");
      expect((await mask()).active).to.equal(true);
      expect(await notifications()).to.deep.equal([
        `${here.mask.maskEmail} was switched on again by a link in a forwarded email.`,
        `${here.mask.maskEmail} was switched off by a link in a forwarded email.`,
      ]);
    });

    it("block the sender of the mail at its mask, and take that back as it was", async () => {
      await choose("header");
      const url = linkFor(await forward(), "block");
      expect((await open(url)).text).to.contain(shop);
      const done = await use(url);
      expect((await mask()).senders?.block).to.deep.equal([shop]);
      expect(await here.send(shop, letter(`Shop <${shop}>`))).to.match(/^5/);
      await pressOn(done.text);
      expect((await mask()).senders?.block ?? []).to.deep.equal([]);
      expect((await pressOn(done.text)).status, "again").to.equal(200);
      expect(await notifications()).to.deep.equal([
        `${shop} is no longer blocked at ${here.mask.maskEmail}. This was undone by a link in a forwarded email.`,
        `${shop} was blocked at ${here.mask.maskEmail} by a link in a forwarded email.`,
      ]);
      await here.ada.call("PUT", `/masks/${here.mask.id}`, {
        body: { senders: { mode: "all", allow: [shop], block: [] } },
      });
      await pressOn((await use(url)).text);
      expect((await mask()).senders).to.deep.include({ allow: [shop], block: [] });
    });

    it("block a sender whose address has an odd form, and stay as they are when the list is saved again", async () => {
      await choose("header");
      const odd = "foo..bar.@shop.example";
      expect(await here.send(shop, letter(`Phone <${odd}>`, [], "Odd"))).to.match(/^250/);
      here.delivery.wake();
      const found = () => here.sink.mails.find(({ content }) => content.includes("Subject: Odd\r\n"));
      await until("it is delivered", () => found() !== undefined);
      await use(linkFor(found()?.content.toString() ?? "", "block"));
      const { senders } = await mask();
      expect(senders?.block).to.deep.equal([odd]);
      const saved = await here.ada.call("PUT", `/masks/${here.mask.id}`, { body: { senders } });
      expect([saved.status, (await mask()).senders?.block]).to.deep.equal([200, [odd]]);
      expect(await here.send(shop, letter(`Phone <${odd}>`))).to.match(/^5/);
    });

    it("do nothing else than what they were signed for, and nothing after 90 days or for a deleted mask", async () => {
      await choose("header");
      const mail = await forward();
      const other = (await here.ada.call("POST", "/masks", { body: { description: "Other" } }))
        .json as HeldServer["mask"];
      const [off, block] = [linkFor(mail, "switch-off"), linkFor(mail, "block")];
      const changed = (url: URL, name: string, value: string): URL => {
        const copy = new URL(url);
        copy.searchParams.set(name, value);
        return copy;
      };
      for (const url of [
        changed(off, "mask", other.id),
        changed(off, "do", "switch-on"),
        changed(off, "until", "99999"),
        changed(off, "sender", "x@y.example"),
        changed(block, "sender", "bank@bank.example"),
        changed(off, "mask", "../x"),
        new URL(off.href.replace("/mask-action/", "/mask-action/A")),
      ]) {
        expect((await open(url)).status, url.href).to.equal(404);
        expect((await use(url)).status, url.href).to.equal(404);
      }
      const ofOther = linkFor(await forward(letter(`Shop <${shop}>`), other.maskEmail), "switch-off");
      expect((await open(ofOther)).status).to.equal(200);
      await here.ada.call("DELETE", `/masks/${other.id}`);
      expect((await open(ofOther)).status, "deleted").to.equal(404);
      here.server.clock.advance(91 * dayMs);
      expect((await open(off)).status).to.equal(404);
    });

    it("do nothing while the account is suspended", async () => {
      await choose("header");
      const off = linkFor(await forward(), "switch-off");
      const { db } = here.server.database;
      await db.updateTable("users").where("id", "!=", bystander.id).set({ suspended: 1 }).execute();
      expect((await open(off)).status).to.equal(404);
      expect((await use(off)).status).to.equal(404);
      await db.updateTable("users").where("id", "!=", bystander.id).set({ suspended: 0 }).execute();
      expect((await use(off)).status).to.equal(200);
    });

    it("name neither the owner nor the mask's description", async () => {
      await choose("footer");
      const mail = await forward();
      for (const url of urlsIn(mail)) {
        const shown = `${url.href} ${(await open(url)).text} ${(await use(url)).text}`;
        expect(shown).not.to.contain("ada").and.not.to.contain("home.example");
        expect(shown.replaceAll("shop.example", "")).not.to.contain("Shop");
      }
      expect(here.server.logged.join("\n")).not.to.contain(adaEmail).and.not.to.contain(here.mask.maskEmail);
    });
  });
