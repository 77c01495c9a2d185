import { expect } from "chai";
import PostalMime from "postal-mime";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import { dayMs } from "../../../../core/kernel/durations.ts";
import { createUnsubscribeLinks } from "../../../../server/features/unsubscribe/unsubscribeLinks.ts";
import { createSeal } from "../../../../server/platform/ops/secrets.ts";
import type { OutgoingPost, OutgoingResult } from "../../../../server/platform/outgoing/publicHttpClient.ts";
import { signed } from "../../relay/encrypt/signedMail.ts";
import { bystander } from "../../support/bystander.ts";
import { adaEmail, type HeldServer, letter, startHeldServer } from "../../support/heldServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";
import { until } from "../../support/until.ts";

const publicUrl = "http://bauta.test";
const sender = "news@signed.example";
const listUrl = "https://lists.signed.example/u/7f3a?x=1";
const oneClick = [`List-Unsubscribe: <${listUrl}>`, "List-Unsubscribe-Post: List-Unsubscribe=One-Click"];
const byMail =
  "List-Unsubscribe: <mailto:leave@lists.signed.example?subject=leave%20a1&body=Please.%0AThanks>";

for (const store of everyStore)
  describe(`Unsubscribing through a mask, on ${store.name}`, () => {
    let here: HeldServer;
    let posts: OutgoingPost[];
    let answer: () => Promise<OutgoingResult>;

    before(requireStore(store));
    beforeEach(async () => {
      posts = [];
      answer = async () => ({ status: 200, retryAfter: null, text: "" });
      here = await startHeldServer(store, { publicUrl }, () => ({}), {
        postToPublicHost: async (post) => {
          posts.push(post);
          return answer();
        },
      });
    });
    afterEach(() => here?.stop());

    const choose = (unsubscribe: string) =>
      here.ada.call("PUT", "/account/profile", { body: { unsubscribe } });
    /** Sends a mail that the list has signed and returns it as it was forwarded. */
    const forward = async (
      fields: readonly string[],
      covered: readonly string[] = ["list-unsubscribe", "list-unsubscribe-post"],
    ): Promise<string> => {
      const forwarded = () =>
        here.sink.mails
          .map((mail) => mail.content.toString())
          .filter((mail) => mail.includes("X-Bauta-Mask:"));
      const count = forwarded().length;
      const content = await signed(letter(`News <${sender}>`, fields), "signed.example", covered);
      expect(await here.send(sender, content)).to.match(/^250/);
      here.delivery.wake();
      await until("it is delivered", async () => forwarded().length > count);
      return forwarded().at(-1) ?? "";
    };
    const fieldOf = (mail: string, name: string): string | undefined =>
      new RegExp(`^${name}: *((?:.|\\r\\n[ \\t])*)\\r$`, "im").exec(mail)?.[1]?.replaceAll(/\s/g, "");
    const linkIn = (mail: string): string => {
      const path = /<http:\/\/bauta\.test(\/mask-unsubscribe\/[\w-]+)>/.exec(
        fieldOf(mail, "List-Unsubscribe") ?? "",
      )?.[1];
      if (path === undefined) throw new Error(`no link in ${mail}`);
      return path;
    };
    const html = { accept: "text/html" };
    const open = (path: string) => here.server.client().call("GET", path, { headers: html });
    const press = (path: string, raw = "List-Unsubscribe=One-Click") =>
      here.server.client().call("POST", path, {
        raw,
        headers: { ...html, "content-type": "application/x-www-form-urlencoded" },
      });
    const notifications = async (): Promise<readonly string[]> => {
      await here.ada.refresh();
      const { json } = await here.ada.call("GET", "/notifications?limit=10");
      return (json as { notifications: { message: string }[] }).notifications.map(({ message }) => message);
    };
    const mailsTo = (recipient: string) => here.sink.mails.filter(({ to }) => to === recipient);
    const isActive = async (): Promise<boolean> =>
      ((await here.ada.call("GET", `/masks/${here.mask.id}`)).json as { active: boolean }).active;

    it("leaves the list's own fields as they are before the owner wants it", async () => {
      const mail = await forward(oneClick);
      expect(fieldOf(mail, "List-Unsubscribe")).to.equal(`<${listUrl}>`);
      expect(mail).not.to.contain("mask-unsubscribe");
    });

    it("asks the list by one click, once, and only when it is pressed", async () => {
      await choose("through-mask");
      const mail = await forward(oneClick);
      expect(fieldOf(mail, "List-Unsubscribe-Post")).to.equal("List-Unsubscribe=One-Click");
      expect(fieldOf(mail, "X-Bauta-Original-List-Unsubscribe")).to.equal(`<${listUrl}>`);
      expect(fieldOf(mail, "X-Bauta-Original-List-Unsubscribe-Post")).to.equal("List-Unsubscribe=One-Click");
      expect(mail.match(/^List-Unsubscribe:/gim)).to.have.length(1);
      expect(mail.split("\r\n").every(({ length }) => length <= 998)).to.equal(true);
      const link = linkIn(mail);
      const page = await open(link);
      expect(page.status).to.equal(200);
      expect(page.text).to.contain("Unsubscribe from this list?").and.to.contain("lists.signed.example");
      expect(page.text).to.contain(here.mask.maskEmail).and.not.to.contain("<script");
      await press(link, "nothing=1");
      expect(posts, "neither opening nor another form does it").to.deep.equal([]);
      expect((await press(link)).text).to.contain("You are unsubscribed");
      expect(posts.map(({ url, body }) => [url, body])).to.deep.equal([
        [listUrl, "List-Unsubscribe=One-Click"],
      ]);
      const again = await press(link);
      expect(again.status).to.equal(200);
      expect(again.text).to.contain("before");
      expect((await open(link)).text).to.contain("before");
      expect(posts).to.have.length(1);
      expect(await notifications()).to.deep.equal([
        `${here.mask.maskEmail} was unsubscribed from lists.signed.example.`,
      ]);
      expect(await isActive()).to.equal(true);
    });

    it("takes the form of mail providers in both encodings, and only once at the same time", async () => {
      await choose("through-mask");
      const link = linkIn(await forward(oneClick));
      const multipart = () =>
        here.server.client().call("POST", link, {
          raw: '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
          headers: { "content-type": "multipart/form-data; boundary=b" },
        });
      const answers = await Promise.all([multipart(), multipart(), press(link), press(link)]);
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
      expect(posts).to.have.length(1);
      const broken = await here.server.client().call("POST", link, {
        raw: "nothing of the kind",
        headers: { "content-type": "multipart/form-data; boundary=b" },
      });
      expect(broken.status).to.equal(200);
    });

    it("says what the list answered, and may be tried again", async () => {
      await choose("through-mask-and-switch-off");
      const link = linkIn(await forward(oneClick));
      answer = async () => ({ status: 404, retryAfter: null, text: "" });
      const refused = await press(link);
      expect(refused.status).to.equal(409);
      expect(refused.text).to.contain("the list answered 404").and.to.contain(`href="${listUrl}"`);
      expect(await isActive(), "the mask stays on").to.equal(true);
      answer = async () => ({ failure: "private-network" });
      expect((await press(link)).text).to.contain("its address leads to a private network");
      answer = async () => ({ status: 302, retryAfter: null, text: "" });
      expect((await press(link)).text).to.contain("the list answered 302");
      answer = async () => ({ status: 202, retryAfter: null, text: "" });
      expect((await press(link)).text).to.contain("You are unsubscribed");
      expect((await notifications()).slice(-3)).to.deep.equal([
        `${here.mask.maskEmail} could not be unsubscribed from lists.signed.example: the list answered 302.`,
        `${here.mask.maskEmail} could not be unsubscribed from lists.signed.example: its address leads to a private network.`,
        `${here.mask.maskEmail} could not be unsubscribed from lists.signed.example: the list answered 404.`,
      ]);
    });

    it("switches the mask off afterwards where that was chosen, with a way back", async () => {
      await here.ada.call("PUT", `/masks/${here.mask.id}`, {
        body: { settings: { unsubscribe: "through-mask-and-switch-off" } },
      });
      const link = linkIn(await forward(oneClick));
      expect((await open(link)).text).to.contain("Then the mask is switched off.");
      const done = await press(link);
      expect(await isActive()).to.equal(false);
      const [, path = ""] = /action="\.([^"]+)"/.exec(done.text) ?? [];
      const fields = Array.from(
        done.text.matchAll(/name="([^"]+)" value="([^"]*)"/g),
        ([, name = "", value = ""]) => [name, value],
      );
      expect((await press(path, new URLSearchParams(fields).toString())).text).to.contain(
        "The mask is switched on",
      );
      expect(await isActive()).to.equal(true);
    });

    it("writes the mail that the list asks for from the mask, and nothing else", async () => {
      await choose("through-mask");
      const link = linkIn(await forward([byMail]));
      const page = await open(link);
      expect(page.text).to.contain("leave@lists.signed.example").and.to.contain("leave a1");
      expect((await press(link)).text).to.contain("The email is on its way to the list");
      expect((await press(link)).status).to.equal(200);
      here.delivery.wake();
      await until("it arrives", async () => mailsTo("leave@lists.signed.example").length > 0);
      const [mail, more] = mailsTo("leave@lists.signed.example");
      expect(more).to.equal(undefined);
      expect(mail?.from).to.equal(here.mask.maskEmail);
      const { from, to, subject, text } = await PostalMime.parse(mail?.content ?? "");
      expect([from?.address, to?.[0]?.address, subject, text?.trim()]).to.deep.equal([
        here.mask.maskEmail,
        "leave@lists.signed.example",
        "leave a1",
        "Please.\nThanks",
      ]);
      expect(mail?.content.toString()).not.to.contain("home.example");
      expect(posts).to.deep.equal([]);
      expect(await notifications()).to.deep.equal([
        `An email that unsubscribes ${here.mask.maskEmail} was sent to leave@lists.signed.example.`,
      ]);
    });

    it("sends no mail from a mask that is off", async () => {
      await choose("through-mask");
      const link = linkIn(await forward([byMail]));
      await here.ada.call("PUT", `/masks/${here.mask.id}`, { body: { active: false } });
      const refused = await press(link);
      expect(refused.status).to.equal(409);
      expect(refused.text).to.contain("the mask is switched off");
      expect(mailsTo("leave@lists.signed.example")).to.deep.equal([]);
    });

    it("does not click for a list whose signature does not cover the offer", async () => {
      await choose("through-mask");
      const mail = await forward(oneClick, ["list-unsubscribe"]);
      expect(fieldOf(mail, "List-Unsubscribe-Post")).to.equal(undefined);
      const link = linkIn(mail);
      expect((await open(link)).text)
        .to.contain(`href="${listUrl}"`)
        .and.not.to.contain("<form");
      await press(link);
      expect(posts).to.deep.equal([]);
      const both = await forward([`${byMail}, <${listUrl}>`, ...oneClick.slice(1)], []);
      expect((await press(linkIn(both))).status).to.equal(409);
      expect(posts).to.deep.equal([]);
    });

    /** What the page of a link sends when its button is pressed. */
    const formOf = (page: string): string =>
      new URLSearchParams(
        Array.from(page.matchAll(/name="([^"]+)" value="([^"]*)"/g), ([, name = "", value = ""]) => [
          name,
          value,
        ]),
      ).toString();

    it("shows first what is sent to somebody else than who has signed it", async () => {
      await choose("through-mask");
      const chosen =
        "<mailto:boss@victim.example?subject=I%20quit&body=You%20are%20a%20fool>, <https://victim.example/order?n=9>";
      for (const [covered, fields] of [
        [["list-unsubscribe", "list-unsubscribe-post"], [`List-Unsubscribe: ${chosen}`]],
        [[], [byMail]],
        [["list-unsubscribe-post"], [byMail, "List-Unsubscribe-Post: List-Unsubscribe=One-Click"]],
      ] as const) {
        const mail = await forward(fields, covered);
        expect(fieldOf(mail, "List-Unsubscribe-Post"), "no provider presses it").to.equal(undefined);
        const link = linkIn(mail);
        const asked = await press(link);
        expect(asked.status).to.equal(409);
        const isChosen = fields[0].includes("victim");
        for (const shown of isChosen
          ? ["boss@victim.example", "I quit", "You are a fool"]
          : ["leave@lists.signed.example", "leave a1", "Please."])
          expect(asked.text).to.contain(shown);
        expect(asked.text).to.contain("No signature proves");
        expect((await open(link)).text).to.contain("No signature proves");
        here.delivery.wake();
        expect(mailsTo("boss@victim.example").length + mailsTo("leave@lists.signed.example").length).to.equal(
          0,
        );
      }
      expect(await notifications()).to.deep.equal([]);
      const link = linkIn(await forward([byMail], []));
      expect((await press(link, formOf((await open(link)).text))).text).to.contain("on its way to the list");
      here.delivery.wake();
      await until("it leaves", async () => mailsTo("leave@lists.signed.example").length === 1);
    });

    it("shows the host of one click that another domain has signed", async () => {
      await choose("through-mask");
      const link = linkIn(
        await forward(["List-Unsubscribe: <https://victim.example/order?n=9>", ...oneClick.slice(1)]),
      );
      const asked = await press(link);
      expect([asked.status, posts]).to.deep.equal([409, []]);
      expect(asked.text).to.contain("victim.example");
      expect((await press(link, formOf(asked.text))).text).to.contain("You are unsubscribed");
      expect(posts.map(({ url }) => url)).to.deep.equal(["https://victim.example/order?n=9"]);
    });

    it("asks for what a link of an earlier version does not prove", async () => {
      const links = createUnsubscribeLinks(createSeal(here.secrets.sealing, cryptoRandom), publicUrl);
      const { id } = here.mask;
      const userId = (
        await here.server.database.db
          .selectFrom("masks")
          .select("user_id")
          .where("id", "=", id)
          .executeTakeFirstOrThrow()
      ).user_id;
      const target = { way: { kind: "one-click", url: listUrl }, page: null } as const;
      const url = links.url({ userId, maskId: id, list: "l", target }, here.server.clock.now());
      expect((await press(url.slice(publicUrl.length))).status).to.equal(409);
      expect(posts).to.deep.equal([]);
    });

    it("stands in the log of the mail where the owner keeps one", async () => {
      await choose("through-mask");
      await here.ada.call("PUT", "/log/settings", { body: { keep: "domain" } });
      const link = linkIn(await forward(oneClick));
      await press(link);
      const rows = await here.server.database.db
        .selectFrom("log_entries")
        .where("user_id", "!=", bystander.id)
        .where("direction", "=", "sent")
        .select(["result", "detail"])
        .execute();
      expect(rows.map(({ result, detail }) => ({ result, ...JSON.parse(detail ?? "") }))).to.deep.equal([
        { result: "delivered", from: "", to: ["lists.signed.example"], cause: "unsubscribed" },
      ]);
    });

    it("does nothing with a link that was changed, is too old, or whose mask or owner is gone", async () => {
      await choose("through-mask");
      const link = linkIn(await forward(oneClick));
      for (const other of [
        `${link}A`,
        `${link}==`,
        link.slice(0, -1),
        "/mask-unsubscribe/AAAA",
        "/mask-unsubscribe/%00",
      ])
        expect((await press(other)).status, other).to.equal(404);
      const { db } = here.server.database;
      await db.updateTable("users").where("id", "!=", bystander.id).set({ suspended: 1 }).execute();
      expect((await press(link)).status, "suspended").to.equal(404);
      await db.updateTable("users").where("id", "!=", bystander.id).set({ suspended: 0 }).execute();
      here.server.clock.advance(91 * dayMs);
      expect((await press(link)).status, "too old").to.equal(404);
      here.server.clock.advance(-91 * dayMs);
      await here.ada.refresh();
      await here.ada.call("DELETE", `/masks/${here.mask.id}`);
      expect((await press(link)).status, "deleted").to.equal(404);
      expect(posts).to.deep.equal([]);
    });

    interface Listed {
      readonly unproven: { readonly id: string; readonly to: string; readonly subject: string } | null;
      readonly id: string;
      readonly name: string;
      readonly address: string;
      readonly leaveBy: string;
      readonly page: string | null;
      readonly left: string | null;
    }
    const listed = async (): Promise<readonly Listed[]> => {
      await here.ada.refresh();
      const { json } = await here.ada.call("GET", `/masks/${here.mask.id}/lists`);
      return (json as { lists: Listed[] }).lists;
    };
    const leave = (id: string, confirmed?: string) =>
      here.ada.call(
        "POST",
        `/masks/${here.mask.id}/lists/${id}/leave${confirmed === undefined ? "" : `?confirmed=${confirmed}`}`,
      );

    it("leaves a list that nothing proves from the app only when what is sent was seen", async () => {
      await choose("through-mask");
      await forward(["List-Unsubscribe: <mailto:boss@victim.example?subject=I%20quit>"]);
      const [list] = await listed();
      expect(list?.unproven).to.deep.include({ to: "boss@victim.example", subject: "I quit", text: "" });
      const { id = "" } = list ?? {};
      expect((await leave(id)).status).to.equal(409);
      await forward(["List-Unsubscribe: <mailto:other@victim.example?subject=I%20quit>"]);
      const changed = await leave(id, list?.unproven?.id);
      expect([changed.status, changed.text.includes("nothing proves")]).to.deep.equal([409, true]);
      const [now] = await listed();
      expect((await leave(id, now?.unproven?.id)).status).to.equal(200);
      here.delivery.wake();
      await until("it leaves", async () => mailsTo("other@victim.example").length === 1);
      expect(mailsTo("boss@victim.example")).to.deep.equal([]);
    });

    it("keeps nothing of a list before the owner wants it, and then what leaves it, encrypted", async () => {
      await forward(oneClick);
      expect(await listed()).to.deep.equal([]);
      await choose("through-mask");
      await forward(oneClick);
      await forward(oneClick);
      const [list, ...others] = await listed();
      expect(others).to.deep.equal([]);
      expect(list).to.deep.include({
        name: "News",
        address: sender,
        leaveBy: "one-click",
        page: listUrl,
        left: null,
      });
      const rows = await here.server.database.db
        .selectFrom("mailing_lists")
        .where("user_id", "!=", bystander.id)
        .selectAll()
        .execute();
      expect(JSON.stringify(rows)).not.to.match(/signed\.example|lists\.example|News/);
    });

    it("leaves a list from the app, where it then stands as left", async () => {
      await choose("through-mask");
      await forward(oneClick);
      const [list] = await listed();
      answer = async () => ({ status: 500, retryAfter: null, text: "" });
      const refused = await leave(list?.id ?? "");
      expect(refused.status).to.equal(409);
      expect(refused.text).to.contain("You are not unsubscribed: the list answered 500.");
      answer = async () => ({ status: 200, retryAfter: null, text: "" });
      const { json } = await leave(list?.id ?? "");
      expect((json as Listed).left).to.be.a("string");
      expect((await listed())[0]?.left).to.equal((json as Listed).left);
      await leave(list?.id ?? "");
      expect(posts, "once for a mail").to.have.length(2);
      await press(linkIn(await forward(oneClick)));
      expect(posts, "and by the link of the next").to.have.length(3);
    });

    it("marks a list that was left by the link of a mail", async () => {
      await choose("through-mask");
      await press(linkIn(await forward(oneClick)));
      expect((await listed())[0]?.left).to.be.a("string");
    });

    it("shows and leaves the lists of nobody else", async () => {
      await choose("through-mask");
      await forward(oneClick);
      const [list] = await listed();
      const eve = await here.server.signIn("eve@home.example");
      expect((await eve.call("GET", `/masks/${here.mask.id}/lists`)).status).to.equal(404);
      expect((await eve.call("POST", `/masks/${here.mask.id}/lists/${list?.id}/leave`)).status).to.equal(404);
      expect((await leave("unknown")).status).to.equal(404);
      expect(posts).to.deep.equal([]);
    });

    it("keeps the 50 latest lists of a mask", async () => {
      await choose("through-mask");
      const { db } = here.server.database;
      const mask = await db
        .selectFrom("masks")
        .where("user_id", "!=", bystander.id)
        .select(["id", "user_id"])
        .executeTakeFirstOrThrow();
      await db
        .insertInto("mailing_lists")
        .values(
          Array.from({ length: 60 }, (_, n) => ({
            mask_id: mask.id,
            id: `list${n}`,
            user_id: mask.user_id,
            sealed: "of another key",
            seen_at: n,
            left_at: null,
          })),
        )
        .execute();
      await forward(oneClick);
      const rows = await db
        .selectFrom("mailing_lists")
        .where("user_id", "!=", bystander.id)
        .select("seen_at")
        .orderBy("seen_at")
        .execute();
      expect([rows.length, Number(rows[0]?.seen_at)]).to.deep.equal([50, 11]);
      expect(await listed()).to.have.length(1);
    });

    it("has an end for a day", async () => {
      await choose("through-mask");
      const link = linkIn(await forward(oneClick));
      const { db } = here.server.database;
      const user = await db
        .selectFrom("users")
        .where("id", "!=", bystander.id)
        .select("id")
        .executeTakeFirstOrThrow();
      await db
        .insertInto("unsubscribings")
        .values(
          Array.from({ length: 100 }, (_, n) => ({
            link_hash: `h${n}`,
            user_id: user.id,
            state: "done" as const,
            at: here.server.clock.now(),
          })),
        )
        .execute();
      expect((await press(link)).status).to.equal(429);
      here.server.clock.advance(dayMs + 1);
      expect((await press(link)).text).to.contain("You are unsubscribed");
    });

    it("shows nothing of the owner to the list, in the link's page, or in the server's log", async () => {
      await choose("through-mask");
      const link = linkIn(await forward(oneClick));
      const pages = `${(await open(link)).text}${(await press(link)).text}`;
      expect(pages).not.to.contain("home.example").and.not.to.contain(adaEmail);
      expect(JSON.stringify(posts)).not.to.match(/home\.example|masks\.test|ada/i);
      expect(posts.map(({ headers }) => headers)).to.deep.equal(
        posts.map(() => ({
          "content-type": "application/x-www-form-urlencoded",
          "user-agent": "Mozilla/5.0",
        })),
      );
      expect(here.server.logged.join("\n"))
        .not.to.contain(adaEmail)
        .and.not.to.contain("lists.signed.example");
    });
  });
