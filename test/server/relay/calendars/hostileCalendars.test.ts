import { readFileSync } from "node:fs";
import { expect } from "chai";
import { readHeaderBlock } from "../../../../server/mime/headerBlock.ts";
import type { CalendarNames } from "../../../../server/relay/calendars/calendarNames.ts";
import { maxLines, maxReadLines } from "../../../../server/relay/calendars/calendarPeople.ts";
import {
  applyByteEdits,
  maxCalendarBytes,
  readMailCalendars,
  writeCalendars,
} from "../../../../server/relay/calendars/forwardedCalendars.ts";
import { expectLinear } from "../../../support/linearTime.ts";

const mask = "shop@mask.test";
const names: CalendarNames = {
  isOwn: (address) => [mask, "alice@home.test"].includes(address.toLowerCase()),
  recipient: "alice@home.test",
  reverseOf: ({ address }) => (address.startsWith("nobody") ? null : "re-1@mask.test"),
  ownIdOf: (uid) => (uid === "outside-1" ? "own-1@home.test" : null),
};

/** Returns a mail as the owner gets its body, and what became of its calendars. */
const forward = (mail: string | Buffer) => {
  const content = Buffer.from(mail as string, "latin1");
  const header = readHeaderBlock(content);
  if (!header) throw new Error("the mail has no header");
  const written = writeCalendars(content, header, names);
  const bytes = Buffer.concat(applyByteEdits(content, written.edits, 0, content.length));
  return { ...written, text: bytes.toString("latin1") };
};

const event = (...lines: readonly string[]): string =>
  ["BEGIN:VCALENDAR", "METHOD:REQUEST", "BEGIN:VEVENT", ...lines, "END:VEVENT", "END:VCALENDAR", ""].join(
    "\r\n",
  );
const asMail = (
  calendar: string,
  type = "text/calendar; charset=utf-8",
  ...fields: readonly string[]
): string =>
  [
    "From: Anna <anna@sender.test>",
    "MIME-Version: 1.0",
    `Content-Type: ${type}`,
    ...fields,
    "",
    calendar,
  ].join("\r\n");
const base64 = (text: string | Buffer): string => Buffer.from(text as string, "latin1").toString("base64");
const unfolded = (text: string): string => text.replaceAll("\r\n ", "");
const written = (...lines: readonly string[]): string => unfolded(forward(asMail(event(...lines))).text);

const plain = event(
  "UID:lunch-1@sender.test",
  "ORGANIZER;CN=Bob:mailto:bob@shop.test",
  `ATTENDEE;RSVP=TRUE:mailto:${mask}`,
);
const asRead =
  /ORGANIZER;CN=Bob - bob at shop\.test:mailto:re-1@mask\.test[\s\S]*ATTENDEE;RSVP=TRUE:mailto:alice@home\.test/;

describe("A forwarded calendar", () => {
  for (const name of ["invitation", "invitation-update", "invitation-cancelled"])
    it(`names the owner and leads to the organizer through the mask: ${name}`, () => {
      const mail = readFileSync(new URL(`../../../data/samples/calendars/${name}.eml`, import.meta.url));
      const { text, obstacle } = forward(mail.toString("latin1").replaceAll(/\r?\n/g, "\r\n"));
      expect(obstacle).to.equal(null);
      expect(unfolded(text)).to.contain(
        "\r\nORGANIZER;CN=Anna - anna at sender.test:mailto:re-1@mask.test\r\nATTENDEE;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:alice@home.test\r\n",
      );
      for (const line of mail.toString().match(/^(?:UID|SEQUENCE|DTSTAMP|METHOD|SUMMARY).*$/gm) ?? [])
        expect(text).to.contain(line.trim());
    });

  it("is read in any encoding, place and character set, and every other byte stays", () => {
    const type = "Content-Type: text/calendar; charset=utf-8";
    const parts = {
      "7bit": [type, "", plain],
      "base 64": [type, "Content-Transfer-Encoding: base64", "", base64(plain)],
      "quoted-printable": [
        type,
        "Content-Transfer-Encoding: quoted-printable",
        "",
        plain.replaceAll("=", "=3D").replaceAll("@", "=40"),
      ],
      "a file": [
        'Content-Type: application/octet-stream; name="=?utf-8?Q?invite=2Eics?="',
        "Content-Transfer-Encoding: base64",
        "",
        base64(plain),
      ],
      "a file by its parameter": [
        "Content-Type: application/octet-stream",
        "Content-Disposition: attachment; filename*=utf-8''invite%2Eics",
        "",
        plain,
      ],
      "application/ics": ["Content-Type: application/ics", "", plain],
      "vCalendar 1.0": ["Content-Type: text/x-vcalendar", "", plain],
      "UTF-16": [
        "Content-Type: text/calendar; charset=utf-16",
        "Content-Transfer-Encoding: base64",
        "",
        base64(Buffer.from(`\ufeff${plain}`, "utf16le").toString("latin1")),
      ],
      "an attached mail": ["Content-Type: message/rfc822", "", asMail(plain)],
      "an attached mail in base 64": [
        "Content-Type: message/rfc822",
        "Content-Transfer-Encoding: base64",
        "",
        base64(asMail(plain)),
      ],
    };
    for (const [what, part] of Object.entries(parts)) {
      const around = ["--b", "Content-Type: text/plain", "", "bob@shop.test = =3D", "--b"];
      const mail = asMail([...around, ...part, "--b--", ""].join("\r\n"), "multipart/mixed; boundary=b");
      const { text, obstacle } = forward(mail);
      expect(obstacle, what).to.equal(null);
      expect(text.slice(0, text.indexOf(part[0] ?? "")), what).to.equal(
        mail.slice(0, mail.indexOf(part[0] ?? "")),
      );
      const body = text.slice(text.indexOf(part[0] ?? "")).replace(/^[\s\S]*?\r\n\r\n/, "");
      const readings = [
        body
          .replaceAll("=\r\n", "")
          .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => Buffer.from(hex, "hex").toString("latin1")),
        Buffer.from(body, "base64").toString("latin1").replaceAll("\0", ""),
      ].map(unfolded);
      expect(
        readings.some((one) => asRead.test(one)),
        `${what}: ${readings.join("\n\n")}`,
      ).to.equal(true);
      expect(
        readings.some((one) => one.includes("mailto:bob@")),
        what,
      ).to.equal(false);
    }
  });

  it("reads all calendars of a mail, and all components of a calendar", () => {
    const text = written(
      "ORGANIZER:mailto:bob@shop.test",
      "BEGIN:VALARM",
      "ACTION:EMAIL",
      "ATTENDEE:mailto:bob@shop.test",
      "END:VALARM",
      "END:VEVENT",
      "END:VCALENDAR",
      "BEGIN:VCALENDAR",
      "BEGIN:VTODO",
      "ORGANIZER:mailto:bob@shop.test",
    );
    expect(text.match(/mailto:re-1@mask\.test/g)).to.have.length(3);
    expect(text).not.to.contain("mailto:bob@");
  });

  it("leads to nobody past the mask by any parameter, link or extension of a program", () => {
    for (const line of [
      'ORGANIZER;SENT-BY="mailto:sue@shop.test";DIR="mailto:x@shop.test";EMAIL=bob@shop.test:/principals/bob',
      "ORGANIZER:bob@shop.test",
      "ORGANIZER:Bob Builder <bob@shop.test>",
      "organizer ; cn=Bob : mailto:bob@shop.test",
      "ORGANIZER:MAILTO:bob%40shop.test?cc=sue@shop.test",
      "ORGANIZER:mailto:bob@shop.test,sue@shop.test",
      "ORGANIZER:mailto://bob@shop.test",
      "ORGANIZER:smtp:bob@shop.test",
      "ORGANIZER:imip:bob@shop.test",
      "ORGANIZER;ENCODING=QUOTED-PRINTABLE:mailto:bob=40shop.test",
      'ORGANIZER;CN="x:mailto:bob@shop.test":mailto:sue@shop.test',
      'ORGANIZER;CN=a"b:mailto:bob@shop.test":mailto:sue@shop.test',
      "ORGANIZER;CN=mailto:bob@shop.test",
      'ORGANIZER;CN="unclosed:mailto:bob@shop.test',
      `ORGANIZER;${"A=b;".repeat(100)}C=d:mailto:bob@shop.test`,
      "ORGANIZER;VALUE=TEXT:mailto:bob@shop.test",
      "ORGANIZER;VALUE=DATE:mailto:bob@shop.test",
      "ORGANIZER;VALUE=RECUR:mailto:bob@shop.test",
      "ORGANIZER:mai\r\r\n lto:bob@shop.test",
      "ORGANIZER:mai\r\n\r\n lto:bob@shop.test",
      "ORGANIZER:mai\n\tlto:bob@shop.test",
      "ORGANIZER:mailto:bo\r\n b@sh\r\n op.test",
      'ATTENDEE;DELEGATED-TO="mailto:bob@shop.test","mailto:sue@shop.test";MEMBER="mailto:x@shop.test":mailto:a@shop.test',
      "ATTENDEE;X-ADDRESS=bob@shop.test:urn:uuid:1",
      "URL:mailto:bob@shop.test?subject=Hi&bcc=sue@shop.test",
      "ATTACH:mailto:bob@shop.test",
      "CONTACT:bob@shop.test",
      'CONTACT;ALTREP="mailto:bob@shop.test":Bob',
      "X-MS-OLK-SENDER:mailto:bob@shop.test",
      "X-MICROSOFT-ANYTHING:MAILTO:bob@shop.test",
      "REQUEST-STATUS:3.7;Invalid calendar user;ATTENDEE:mailto:bob@shop.test",
      'X-ANY;A="unclosed:mailto:bob@shop.test',
      "item1.ATTENDEE:mailto:bob@shop.test",
    ])
      expect(written(line), line).not.to.match(/(?:bob|sue|a|x)(?:@|%40|=40)shop/i);
  });

  it("leads through the mask to addresses that are not of public form, also where they stand alone", () => {
    for (const address of [
      "bob..b@shop.test",
      `${"b".repeat(80)}@shop.test`,
      "bob@shop_x.test",
      "bob@[192.0.2.1]",
    ])
      for (const line of [
        `ORGANIZER;CN=Bob:${address}`,
        `X-OWNER:${address}`,
        `X-OWNER;EMAIL=${address}:Bob`,
      ]) {
        expect(written(line), line).to.contain("re-1@mask.test");
        expect(written(line), line).not.to.contain(address);
      }
  });

  it("keeps texts for people, links to pages, and lines that it does not know", () => {
    const lines = [
      "SUMMARY:Lunch with bob@shop.test",
      "DESCRIPTION:Write to bob@shop.test or mailto:bob@shop.test",
      "COMMENT:bob@shop.test",
      "URL:https://shop.test/@bob?mail=bob@shop.test",
      "ATTACH;FMTTYPE=image/png;ENCODING=BASE64;VALUE=BINARY:aGVsbG8=",
      "RRULE:FREQ=SECONDLY;COUNT=999999999;BYSECOND=0,1,2,3",
      "X-ANY;A=B:\\;c",
      "GEO:37.386013;-122.082932",
      "this is no property",
      "UID:bob@shop.test",
      "RELATED-TO:bob@shop.test",
    ];
    expect(forward(asMail(event(...lines))).text).to.equal(asMail(event(...lines)));
  });

  it("shows those without a reverse address by their name alone", () => {
    expect(written("ATTENDEE;CN=Nora;ROLE=CHAIR:mailto:nobody@shop.test")).to.contain(
      "ATTENDEE;ROLE=CHAIR;CN=Nora - nobody at shop.test:invalid:nomail\r\n",
    );
  });

  it("knows the owner's events again in answers, and in nothing else", () => {
    const answer = asMail(event("UID:outside-1").replace("REQUEST", "REPLY"));
    expect(forward(answer).text).to.contain("UID:own-1@home.test\r\n");
    expect(written("UID:outside-1")).to.contain("UID:outside-1\r\n");
  });

  it("in JSON or XML leads through the mask too", () => {
    const json = JSON.stringify([
      "vcalendar",
      [["method", {}, "text", "REQUEST"]],
      [
        [
          "vevent",
          [
            ["organizer", { cn: "Bob" }, "cal-address", "mailto:bob@shop.test"],
            ["attendee", {}, "cal-address", `mailto:${mask}`],
          ],
          [],
        ],
      ],
    ]);
    const inJson = forward(asMail(json, "application/calendar+json")).text;
    expect(inJson).to.contain('"mailto:re-1@mask.test"').and.contain('"mailto:alice@home.test"');
    expect(inJson).not.to.contain("bob@shop");
    const xml = `<?xml version="1.0"?><icalendar><vcalendar><components><vevent><properties><organizer><parameters><email><text>bob@shop.test</text></email></parameters><cal-address>mailto:bob@shop.test</cal-address></organizer><summary><text>Write to bob@shop.test</text></summary></properties></vevent></components></vcalendar></icalendar>`;
    const inXml = forward(asMail(xml, "application/calendar+xml")).text;
    expect(inXml).to.contain("<cal-address>mailto:re-1@mask.test<").and.contain("<text>re-1@mask.test<");
    expect(inXml).to.contain("Write to bob@shop.test");
  });
});

describe("A forwarded calendar that cannot be read", () => {
  const inParts = (part: readonly string[]): string =>
    asMail(["--b", ...part, "--b--", ""].join("\r\n"), "multipart/mixed; boundary=b");
  const unread: Readonly<Record<string, readonly [string, string]>> = {
    "in UTF-7": ["encoding", inParts(["Content-Type: text/calendar; charset=utf-7", "", plain])],
    "in EBCDIC": ["encoding", inParts(["Content-Type: text/calendar; charset=cp037", "", "x"])],
    "in an unknown encoding": [
      "encoding",
      inParts(["Content-Type: text/calendar", "Content-Transfer-Encoding: x-uuencode", "", "x"]),
    ],
    "with NUL in its lines": [
      "encoding",
      inParts(["Content-Type: text/calendar", "", plain.replaceAll("mailto", "mail\0to")]),
    ],
    "too large": [
      "size",
      inParts(["Content-Type: text/calendar", "", `${plain}${"X-A:b\r\n".repeat(maxCalendarBytes / 7)}`]),
    ],
    "of too many lines": [
      "size",
      inParts(["Content-Type: text/calendar", "", `${plain}${"X-A:b\r\n".repeat(maxLines)}`]),
    ],
    "in JSON that is too large": [
      "size",
      inParts(["Content-Type: application/calendar+json", "", JSON.stringify("x".repeat(70_000))]),
    ],
    "with two types": [
      "parts",
      inParts(["Content-Type: text/plain", "Content-Type: text/calendar", "", plain]),
    ],
    "with two encodings": [
      "parts",
      inParts([
        "Content-Type: text/calendar",
        "Content-Transfer-Encoding: 7bit",
        "Content-Transfer-Encoding: base64",
        "",
        plain,
      ]),
    ],
    "among too many parts": [
      "parts",
      inParts([
        "Content-Type: text/calendar",
        "",
        plain,
        ...Array.from({ length: 201 }, () => "--b\r\n\r\nx"),
      ]),
    ],
    "in JSON that is none": [
      "encoding",
      inParts(["Content-Type: application/calendar+json", "", "[bob@shop.test"]),
    ],
    "in JSON that is nested": [
      "encoding",
      inParts(["Content-Type: application/calendar+json", "", `${"[".repeat(30_000)}${"]".repeat(30_000)}`]),
    ],
    "in XML with entities": [
      "encoding",
      inParts([
        "Content-Type: application/calendar+xml",
        "",
        '<!DOCTYPE a [<!ENTITY b "mailto:bob@shop.test">]>',
      ]),
    ],
  };
  for (const [what, [why, mail]] of Object.entries(unread))
    it(`keeps its bytes under a type that no program takes for a calendar: ${what}`, () => {
      const { text, obstacle, isFound } = forward(mail);
      expect([isFound, obstacle]).to.deep.equal([true, why]);
      const types = text.match(/^content-type:.*$/gim) ?? [];
      expect(types.slice(1).join("\n")).not.to.match(/calendar/);
      expect(
        text.replaceAll(/^(?:Content-Type: application\/octet-stream\r\n)?(?:X-Bauta-Original-)/gm, ""),
      ).to.equal(mail);
    });

  it("is the whole mail: its own header is renamed", () => {
    const found = forward(asMail("x", "text/calendar; charset=utf-7"));
    expect([found.isRootDisarmed, found.obstacle]).to.deep.equal([true, "encoding"]);
  });

  it("stays as it is where it is signed or encrypted, in the form of such parts", () => {
    const signed = (last: string): string =>
      asMail(
        [
          "--b",
          "Content-Type: text/calendar",
          "",
          plain,
          "--b",
          `Content-Type: ${last}`,
          "",
          "x",
          "--b--",
          "",
        ].join("\r\n"),
        "multipart/signed; boundary=b",
      );
    for (const last of [
      "application/pgp-signature",
      "application/pkcs7-signature",
      "application/x-pkcs7-signature",
    ]) {
      const { text, obstacle } = forward(signed(last));
      expect([text, obstacle]).to.deep.equal([signed(last), "sealed"]);
    }
    expect(forward(signed("text/plain")).text).to.match(/re-1@mask\.test/);
  });
});

describe("A calendar that lies", () => {
  it("takes linear time, whatever it consists of", () => {
    const work = (calendar: string): void => {
      forward(asMail(calendar));
    };
    for (const piece of [
      "ATTENDEE;CN=a:mailto:a@b.test\r\n",
      "ATTENDEE;A=b;C=d;E=f:mailto:a@b.test\r\n",
      "BEGIN:VEVENT\r\n",
      "RRULE:FREQ=SECONDLY;COUNT=999999999\r\n",
      "\r",
      "\r\n ",
      "mailto:",
      "X-A:mailto:a@b.test\r\n",
      "@",
      '"',
      ";",
      ";A=b",
      "UID:a@b\r\n",
      "METHOD:REPLY\r\nUID:outside\r\n",
    ])
      for (const start of ["", "ATTENDEE", "ATTENDEE:", "X-A;B=", 'X-A;B="', "URL:mailto:a@b.test?"])
        expectLinear(`${start}${piece}`, Math.ceil(50_000 / piece.length), (times) =>
          work(`${start}${piece.repeat(times)}`),
        );
  });

  it("names 500 of 10,000 people, and the owner wherever", () => {
    const others = Array.from({ length: 10_000 }, (_, n) => `ATTENDEE;CN=P${n}:mailto:p${n}@b.test`);
    const lines = [
      "ORGANIZER:mailto:bob@b.test",
      ...others,
      `ATTENDEE:mailto:${mask}`,
      "X-ANY:mailto:p@b.test",
    ];
    const content = Buffer.from(asMail(event(...lines)));
    const header = readHeaderBlock(content);
    expect(header && readMailCalendars(content, header)?.people).to.have.length(maxReadLines);
    const text = written(...lines);
    expect(text.match(/^ATTENDEE.*$/gm)).to.have.length(10_001);
    expect(text.match(/:mailto:re-1@mask\.test$/gm)).to.have.length(maxReadLines);
    expect(text).to.contain("ATTENDEE:mailto:alice@home.test\r\n");
    expect(text).not.to.match(/@b\.test/);
  });

  it("of thousands of events names the organizer of each", () => {
    const events = Array.from({ length: 3_000 }, (_, n) => `UID:${n}@b.test\r\nORGANIZER:mailto:bob@b.test`);
    expect(written(...events).match(/^ORGANIZER;CN=bob at b\.test:mailto:re-1@mask\.test$/gm)).to.have.length(
      3_000,
    );
  });
});
