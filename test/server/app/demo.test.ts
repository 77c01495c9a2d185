import { execFile } from "node:child_process";
import { join } from "node:path";
import { expect } from "chai";
import PostalMime from "postal-mime";
import { useSqlite } from "../support/databases.ts";
import { maskDomain, useListener } from "../support/listener.ts";
import { addMask, addOwner, type Owner } from "../support/owners.ts";
import { readQueue } from "../support/queue.ts";

const entry = join(import.meta.dirname, "../../../server/app/demo.ts");

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

describe("The demo", () => {
  const { database } = useSqlite();
  let owner: Owner;
  const relay = useListener(database);

  beforeEach(async () => {
    owner = await addOwner(database().db);
  });

  const demo = (args: readonly string[], port = relay.port): Promise<Said> =>
    new Promise((resolve) => {
      const env = {
        ...process.env,
        SMTP_PORT: String(port),
        HOST: "0.0.0.0",
        SMTP_HOST: "127.0.0.1",
        MASK_DOMAIN: maskDomain,
        NEXT_HOP: "",
      };
      const child = execFile(process.execPath, [entry, ...args], { env }, (_error, out, err) =>
        resolve({ code: child.exitCode ?? -1, out, err }),
      );
    });

  it("sends five varied mails to a mask, lists them, and prints where to read them", async () => {
    const mask = await addMask(database().db, owner);
    const { code, out, err } = await demo([mask.email]);
    expect([code, err]).to.deep.equal([0, ""]);
    expect(out)
      .to.match(/1\/5 {2}an order confirmation\n[\s\S]*5\/5 {2}a mail in Japanese\n/)
      .and.include("/outbox");
    const rows = await readQueue(database().db);
    const mails = await Promise.all(rows.map(({ content }) => PostalMime.parse(content)));
    expect(mails.map(({ from, subject }) => [from?.name, subject])).to.have.deep.members([
      ["Żółw & Søn Bøger - orders at shop.example.com", "Your order 4711 is on its way"],
      ["The Slow Gazette - news at gazette.example.org", "This week: why good bread takes two days"],
      ["Example Bank - no-reply at bank.example.com", "493 027 is your sign-in code"],
      ["billing at power.example.org", "Invoice 2026-11"],
      ["東京カメラ店 - info at camera.example.com", "ご予約の確認(11月28日)📷"],
    ]);
    const masks = mails.map(({ headers }) => headers.find(({ key }) => key === "x-bauta-mask")?.value);
    expect(masks).to.deep.equal(mails.map(() => mask.email));
    const pdf = mails
      .flatMap(({ attachments }) => attachments)
      .map(({ filename, mimeType }) => [filename, mimeType]);
    expect(pdf).to.deep.equal([["invoice-2026-11.pdf", "application/pdf"]]);
  });

  it("plays a reply on a server of its own: it leaves from the mask, without anything of the owner", async () => {
    const { code, out, err } = await demo(["--reply"]);
    expect([code, err]).to.deep.equal([0, ""]);
    const mask = /creates a mask: (\S+@masks\.example)\n/.exec(out)?.[1] ?? "none";
    const steps = out.split(/^\d\. /m);
    expect(steps).to.have.length(6);
    const [intro = "", , stranger = "", received = "", answer = "", left = ""] = steps;
    expect(intro).to.include("counts as proven here, for ada@home.example alone");
    expect(stranger).to.include(`To:      ${mask}`);
    expect(received).to.match(/From: {4}Corner Shop - orders at shop\.example <re-\w+@masks\.example>/);
    expect(answer).to.include("ada@home.example");
    const [reply = "", verdict = ""] = left.split("It comes from the mask.");
    expect(reply).to.include(`From:    ${mask}`).and.include("orders@shop.example");
    expect(reply).not.to.match(/ada|lovelace|home\.example|re-\w{8}/i);
    expect(verdict).to.match(
      /^ Neither ada@home\.example nor the name Ada Lovelace is anywhere in its \d+ bytes\.\n$/,
    );
    expect((await readQueue(database().db)).length, "the running server has nothing to do with it").to.equal(
      0,
    );
  });

  it("explains what to do when the address is missing, is invalid, or is no mask of this server", async () => {
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [[], /^No mask address was given\. Run: npm run demo -- <address>\nCreate a mask at http/],
      [["me"], /^"me" is not an address\./],
      [["me@home.example"], /^Masks of this server end in @masks\.example\./],
      [
        ["nobody@masks.example"],
        /^The server refused the mail: 550 5\.1\.1 [\s\S]*check the address for typing errors/,
      ],
    ];
    for (const [args, sentence] of cases) {
      const { code, err } = await demo(args);
      expect(err).to.match(sentence);
      expect(code).to.equal(1);
    }
  });

  it("reports a mask that is switched off, and a server that does not run", async () => {
    const off = await addMask(database().db, owner, { active: false });
    expect((await demo([off.email])).err).to.match(/550 5\.2\.1 [\s\S]*switch it on/);
    expect((await demo([off.email], 1)).err).to.match(
      /^No mail server is listening at 127\.0\.0\.1:1\.\nStart the server/,
    );
  });
});
