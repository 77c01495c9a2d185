import { expect } from "chai";
import {
  createOwnerFinder,
  createReplacements,
  type Disguise,
  reverseLocalPartsIn,
} from "../../../../../server/features/replies/rewrite/ownerTraces.ts";
import { expectLinear } from "../../../../support/linearTime.ts";

const reverse = `re-${"a".repeat(32)}`;
const disguise: Disguise = {
  maskEmail: "shop-1@masks.example",
  description: "Secret shoes",
  maskDomain: "masks.example",
  ownerAddresses: ["alice@home.example", "o'brien@home.example", "zoë@bücher.example", "al.ice@gmail.com"],
  ownerNames: ["Alice Miller"],
  ownerHosts: ["home.example", "laptop.home.example", "gmail.com", "192.0.2.7"],
  correspondents: new Map([[reverse, { name: "Bob", address: "bob@shop.example" }]]),
};
const { visible, hidden } = createReplacements(disguise);
const finds = createOwnerFinder(disguise);

describe("The owner's addresses in a text", () => {
  it("are replaced in each form, and nothing is left of them", () => {
    for (const text of [
      "o&#39;brien@home.example",
      "o’brien@home.example",
      "o%27brien%40home.example",
      "ZOË@BÜCHER.EXAMPLE",
      "zoe\u0308@xn--bcher-kva.example",
      "zo&#235;&#64;b&#252;cher.example".replace("&#235;", "ë").replace("&#252;", "ü"),
      "alice@gmail.com",
      "a.l.i.c.e+x@googlemail.com",
      "alice [at] home [dot] example",
      "alice＠home。example",
      "ali=\r\nce=40home=2Eexample",
      "-alice@home.example",
      "1.alice@home.example".slice(1),
    ]) {
      expect(finds(text), text).to.equal(true);
      expect(visible(text), text).to.match(/^[-.]?shop-1@masks\.example$/);
    }
  });

  it("are replaced in rewritten senders, with the labels before their domain", () => {
    for (const [text, expected] of [
      ["home.example=alice@relay.example", "shop-1@masks.example@relay.example"],
      ["SRS0=xY=9Z=mail.home.example=alice@relay.example", "SRS0=xY=9Z=shop-1@masks.example@relay.example"],
      ["a.b.c.d.home.example=alice@relay.example", "a.shop-1@masks.example@relay.example"],
      ["bounces-home.example=alice@relay.example", "bounces-shop-1@masks.example@relay.example"],
      ["x<b>home.example=alice@relay.example", "x<b>shop-1@masks.example@relay.example"],
      [`${"y".repeat(70)}.home.example=alice@r.example`, `${"y".repeat(70)}.shop-1@masks.example@r.example`],
    ] as const) {
      expect(finds(text), text).to.equal(true);
      expect(visible(text), text).to.equal(expected);
    }
    for (const text of ["myhome.example=alice@relay.example", "home.example=malice@relay.example"])
      expect(finds(text), text).to.equal(false);
  });

  it("are found in what other escapes, tags and blanks make only when they are decoded", () => {
    for (const text of [
      "ali<b\r\n\t\t/>ce@home.example",
      "ali&lt;b&gt;ce@home.example",
      "ali%3D%0D%0Ace@home.example",
      "> >\r\n> ali\u200bce%2540home.example",
    ])
      expect(finds(text), text).to.equal(true);
  });

  it("leave no link that acts on the mask, however a program has written it", () => {
    const signature = "Zx9-_Ab3kQ7mNo1pRs5tUv8wYz2cDe4fGh6iJl0KMn-";
    for (const text of [
      `Switch off: https://bauta.example/mask-action/${signature}?do=switch-off&mask=1`,
      `<a href="https://bauta.example/mask-action/${signature}?do=block&amp;mask=1">Block</a>`,
      `https://links.example/?url=https%3A%2F%2Fbauta.example%2Fmask-action%2F${signature}%3Fdo%3Dblock`,
      `> https://bauta.example/mask-action/${signature.slice(0, 20)}=\r\n${signature.slice(20)}?do=block`,
      `Unsubscribe: https://bauta.example/mask-unsubscribe/${signature.repeat(20)}`,
    ])
      for (const replace of [visible, hidden]) {
        const left = replace(text);
        expect(left, text).not.to.match(/mask-(?:action|unsubscribe)/);
        expect(left, text).not.to.contain(signature.slice(0, 20));
      }
  });

  it("are not found in those of others, nor is a name or a host in what the owner writes", () => {
    for (const text of [
      "malice@home.example",
      "mary-alice@home.example",
      "first.alice@home.example",
      "alice@homes.example",
      "alice@elsewhere.example",
      "alice@home.example-shop.example",
      "Alice Miller lives at home.example and has gmail.com; ask alice.",
      "see https://gmail.com/ and C:\\new\\readme",
      "100 %40 off, a=b&c=d, &copy; 2026",
    ]) {
      expect(finds(text), text).to.equal(false);
      expect(visible(text), text).to.equal(text);
    }
  });

  it("are replaced with names, local parts and hosts where nobody looks", () => {
    expect(hidden("Miller, Alice")).to.equal("shop-1");
    expect(hidden("alice_miller-2026.pdf")).to.equal("shop-1-2026.pdf");
    expect(hidden("alice.vcf")).to.equal("shop-1.vcf");
    expect(hidden("from laptop.home.example")).to.equal("from masks.example");
    expect(hidden("at 192.0.2.7")).to.equal("at masks.example");
    expect(hidden("carol@gmail.com and alice@elsewhere.example")).to.equal(
      "carol@gmail.com and alice@elsewhere.example",
    );
    expect(hidden("chalice")).to.equal("chalice");
  });

  it("are replaced together with reverse addresses and the names of correspondents, each once", () => {
    const quoted = `On Friday, Bob (Secret shoes) <${reverse}@masks.example>\r\n> or Bob - bob at\r\n> shop.example wrote to alice@home.example:`;
    expect(visible(quoted)).to.equal(
      "On Friday, Bob <bob@shop.example>\r\n> or Bob wrote to shop-1@masks.example:",
    );
    expect(reverseLocalPartsIn(`<${reverse.toUpperCase()}%40masks.example>`, "masks.example")).to.deep.equal([
      reverse,
    ]);
  });

  it("are searched for in linear time", () => {
    for (const piece of [
      "alice@",
      "=40",
      "%25",
      "&amp;#",
      " >",
      "<b",
      "\u00ad",
      "é\u0308",
      "re-a",
      "Bob (",
      "(at)",
      "-.",
      "\\n",
      "<!--",
    ])
      expectLinear(`${piece} in a text`, 20_000, (times) => void hidden(piece.repeat(times)));
  });
});
