import { expect } from "chai";
import PostalMime from "postal-mime";
import { rewriteHtml } from "../../../../server/features/replies/rewrite/html/replyHtml.ts";
import { bystander } from "../../support/bystander.ts";
import { useSqlite } from "../../support/databases.ts";
import { type DnsStub, startDnsStub } from "../../support/dnsStub.ts";
import { type RunningListener, startListener } from "../../support/listener.ts";
import { addMask, addOwner, type Owner, type TestMask } from "../../support/owners.ts";
import { readQueue } from "../../support/queue.ts";
import { secrets } from "../../support/secrets.ts";
import { replyOf } from "./mailPrograms.ts";
import { programHtml } from "./programHtml.ts";

const replies = 200;

/** The owner's provider, name and address, programs and their makers, reverse addresses, and inner networks. */
const traces =
  /home\.example|home%2Eexample|L=C3=B8velace|Løvelace|gmail|google|outlook|microsoft|\bmso|apple|iphone|mozilla|thunderbird|moz-|k9mail|\bk-9|mutt|android|safelinks|192\.168|autocrypt|x-ms-|aka\.ms/i;

describe("Replies of common mail programs", () => {
  const { database } = useSqlite();
  let dns: DnsStub;
  let owner: Owner;
  let mask: TestMask;
  let relay: RunningListener;
  before(async () => {
    dns = await startDnsStub({
      "home.example": { TXT: ["v=spf1 ip4:127.0.0.1 -all"] },
      "shop.example": { TXT: ["v=spf1 ip4:127.0.0.1 -all"] },
    });
  });
  after(() => dns.close());
  beforeEach(async () => {
    owner = await addOwner(database().db, "self_hosted");
    mask = await addMask(database().db, owner);
    relay = await startListener(database(), undefined, {
      dnsServer: dns.address,
      trustedNetworks: [],
      secrets,
    });
  });
  afterEach(() => relay.close());

  it(`tell the correspondent nothing about the owner and continue the thread, ${replies} of ${replies}`, async () => {
    const { db } = database();
    const client = await relay.connect();
    const send = async (from: string, to: string, content: string): Promise<void> => {
      await relay.clock.advance(1);
      expect(await client.mail(from, [to], content)).to.match(/^250/);
    };
    const ownEarlierId = "<earlier@laptop.home.example>";
    const order = `From: Bob <bob@shop.example>\r\nTo: ${mask.email}\r\nSubject: Your order\r\nMessage-ID: <order@shop.example>\r\n\r\nIs it right?\r\n`;
    await send("bob@shop.example", mask.email, order);
    const forwarded = (await readQueue(db)).at(-1);
    const { from, messageId = "" } = await PostalMime.parse(forwarded?.content ?? "");
    const reverse = from?.address ?? "";
    for (let n = 0; n < replies; n += 1) {
      const { name, content } = replyOf(n, { owner, reverse, messageId, ownEarlierId });
      await db.deleteFrom("queue").where("user_id", "is distinct from", bystander.id).execute();
      await send(owner.email, reverse, content);
      const [sent] = await readQueue(db);
      expect(sent?.content.toString("latin1"), name).not.to.match(/(?<!\r)\n|\r(?!\n)/);
      const mail = await PostalMime.parse(sent?.content ?? "");
      const parts = mail.attachments.map(({ content: part }) =>
        Buffer.from(part as ArrayBuffer).toString("latin1"),
      );
      const header = (sent?.content.toString("latin1") ?? "").split("\r\n\r\n", 1)[0];
      const everything = [header, mail.text, mail.html, ...parts].join("\n");
      const unwrapped = everything.replaceAll(/\r?\n[ \t]/g, "");
      expect(unwrapped, name).not.to.match(/re-[a-z2-7]{32}/);
      // Random ids and boundaries may contain any word.
      const words = unwrapped.replaceAll(/[\w-]{23,}(?=@masks\.example)|\bb_[0-9a-f]{32}/g, "");
      expect(traces.exec(words)?.[0], `${name}\n${unwrapped}`).to.equal(undefined);
      expect(mail.inReplyTo, name).to.equal("<order@shop.example>");
      expect(mail.references?.split(/\s+/), name).to.have.length(2);
      expect(everything, name).to.match(/Yes|Ja/);
    }
  });
});

/** Attributes, elements and words that tell which program wrote a text. */
const marks =
  /<[^>]*\s(?:class|id|name|lang|data-\w+|cite|itemprop|target|rel|dir)=|<\w+:|<!--|<(?:style|object|meta name|signature)|home\.example|ada|mso|msft|gmail|google|outlook|microsoft|office|aka\.ms|apple|icloud|iphone|ipad|galaxy|samsung|android|moz|thunderbird|k-?9|evo|claws|geary|spring|postbox|fox|proton|tuta|yahoo|aol|gmx|deref|zimbra|mce|cke|yandex|mail\.ru|zoho|spark|bluemail|tmjah|superhuman|libreoffice|avast|avcdn|mailtrack|gstatic|file:|aptos|calibri|verdana|helvetica|noto|\ufeff|Section1|divRply|elementToProof|qt-|x_/i;
const count = Object.keys(programHtml).length;

describe("The HTML of common mail programs", () => {
  it(`shows the answer and the quote, and no mark of its program, ${count} of ${count}`, () => {
    const replace = (text: string): string =>
      text
        .replaceAll(/ada@home\.example/gi, () => "shop@masks.example")
        .replaceAll("re-a@masks.example", () => "bob@shop.example");
    for (const [program, form] of Object.entries(programHtml)) {
      const html = form
        .replaceAll("{mail}", "ada@home.example")
        .replaceAll("{escaped}", "ada%40home.example")
        .replaceAll("{from}", "re-a@masks.example");
      const context = {
        isWebmail: () => false,
        replace,
        replaceHidden: replace,
        renameId: () => "<i@masks.example>",
      };
      // A link to a file that the author shares stays.
      const written = rewriteHtml(html, context).replaceAll("https://drive.google.com/file/", "");
      expect(marks.exec(written)?.[0], `${program}\n${written}`).to.equal(undefined);
      expect(written, program).to.contain("Yes");
      for (const kept of ["Is it right?", "<blockquote", "<th", 'src="cid:', 'href="https://shop.example/'])
        if (html.includes(kept)) expect(written, program).to.contain(kept);
    }
  });
});
