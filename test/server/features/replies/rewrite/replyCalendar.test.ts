import { expect } from "chai";
import {
  findCalendarTraces,
  rewriteCalendar,
} from "../../../../../server/features/replies/rewrite/replyCalendar.ts";
import { expectLinear } from "../../../../support/linearTime.ts";

const mask = "shop@masks.example";
const replace = (text: string): string => text.replaceAll(/ada@home\.example/gi, () => mask);
const replaceHidden = (text: string): string => replace(text).replaceAll("home.example", "masks.example");
const isOwn = (address: string): boolean => [mask, "ada@home.example"].includes(address.toLowerCase());
const rewrite = (lines: readonly string[], method?: string): string =>
  rewriteCalendar(
    lines.join("\r\n"),
    {
      isWebmail: () => false,
      replace,
      replaceHidden,
      replaceAddresses: replace,
      maskEmail: mask,
      isOwn,
      toOutsideId: (uid) => `outside-${uid.length}`,
    },
    method,
  );
const linesOf = (calendar: string): readonly string[] =>
  calendar.replaceAll("\r\n ", "").split("\r\n").slice(0, -1);

const zone = [
  "BEGIN:VTIMEZONE",
  "TZID:/mozilla.org/20050126_1/Europe/Berlin",
  "X-LIC-LOCATION:Europe/Berlin",
  "BEGIN:DAYLIGHT",
  "TZOFFSETFROM:+0100",
  "TZOFFSETTO:+0200",
  "TZNAME:MESZ",
  "DTSTART:19700329T020000",
  "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU",
  "END:DAYLIGHT",
  "END:VTIMEZONE",
];

describe("The calendar of a reply", () => {
  it("answers an invitation without a word about who answers", () => {
    const answer = rewrite([
      "BEGIN:VCALENDAR",
      "PRODID:-//Mozilla.org/NONSGML Mozilla Calendar V1.1//EN",
      "VERSION:2.0",
      "METHOD:REPLY",
      "X-WR-CALNAME:Ada's calendar",
      ...zone,
      "BEGIN:VEVENT",
      "CREATED:20261120T090000Z",
      "DTSTAMP:20261120T100000Z",
      "UID:7kukuqrfedlm2f9t@google.com",
      "SEQUENCE:2",
      "RECURRENCE-ID;TZID=/mozilla.org/20050126_1/Europe/Berlin:20261121T090000",
      "RRULE:FREQ=DAILY",
      "SUMMARY;LANGUAGE=de-DE:Accepted: Tea\\, at ada@home.example",
      "DTSTART;TZID=/mozilla.org/20050126_1/Europe/Berlin:20261121T090000",
      "DTEND;TZID=Europe/Berlin:20260721T100000",
      'ORGANIZER;CN="Bob; and co";SENT-BY="mailto:x@shop.example":mailto:bob@shop.example',
      "ATTENDEE;CN=Ada Lovelace;PARTSTAT=NEEDS-ACTION:mailto:shop@masks.example",
      'ATTENDEE;CN="Ada: Lovelace";CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;X-NUM-GUESTS=0;EMAIL=ada@home.example:mai',
      " lto:ADA@home",
      "\t.example",
      "COMMENT;LANGUAGE=de:I come from ada@home.example",
      "X-MOZ-GENERATION:1",
      "X-ALT-DESC;FMTTYPE=text/html:<a>ada@home.example</a>",
      "CATEGORIES:Private",
      "BEGIN:VALARM",
      "TRIGGER:-PT15M",
      "ATTENDEE:mailto:ada@home.example",
      "END:VALARM",
      "END:VEVENT",
      "BEGIN:VCARD",
      "FN:Ada",
      "BEGIN:VEVENT",
      "END:VEVENT",
      "END:VCARD",
      "END:VCALENDAR",
    ]);
    expect(linesOf(answer)).to.deep.equal([
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:-//mask//EN",
      "CALSCALE:GREGORIAN",
      "METHOD:REPLY",
      "BEGIN:VTIMEZONE",
      "TZID:Europe/Berlin",
      "BEGIN:DAYLIGHT",
      "TZOFFSETFROM:+0100",
      "TZOFFSETTO:+0200",
      "DTSTART:19700329T020000",
      "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU",
      "END:DAYLIGHT",
      "END:VTIMEZONE",
      "BEGIN:VEVENT",
      "DTSTAMP:20261120T100000Z",
      "UID:7kukuqrfedlm2f9t@google.com",
      "SEQUENCE:2",
      "RECURRENCE-ID;TZID=Europe/Berlin:20261121T090000",
      `SUMMARY:Accepted: Tea\\, at ${mask}`,
      "DTSTART:20261121T080000Z",
      "DTEND:20260721T080000Z",
      "ORGANIZER:mailto:bob@shop.example",
      `ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED:mailto:${mask}`,
      `COMMENT:I come from ${mask}`,
      "END:VEVENT",
      "END:VCALENDAR",
    ]);
  });

  it("invites with the rules and zones of its times", () => {
    const invitation = rewrite([
      "begin:vcalendar",
      "method:request",
      ...zone,
      "BEGIN:VEVENT",
      "UID:1-ada@home.example-2@home.example",
      "DTSTART;TZID=/mozilla.org/20050126_1/Europe/Berlin:20261121T090000",
      "RRULE:FREQ=WEEKLY;BYDAY=SA",
      "DESCRIPTION:Line one\\nLine two\\; https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fshop.example%2F&data=1",
      "ATTACH;ENCODING=BASE64;VALUE=BINARY:aGVsbG8=",
      "ATTACH;FILENAME=a.pdf:https://shop.example/a.pdf",
      "URL:file:///home/ada/x",
      "ATTENDEE;EMAIL=bob@shop.example:urn:uuid:1",
      "ATTENDEE:/123/principal/",
      "END:VEVENT",
      "END:VCALENDAR",
    ]);
    const lines = linesOf(invitation);
    expect(lines).to.include.members([
      "METHOD:REQUEST",
      "TZID:Europe/Berlin",
      "UID:outside-33",
      "DTSTART;TZID=Europe/Berlin:20261121T090000",
      "RRULE:FREQ=WEEKLY;BYDAY=SA",
      "DESCRIPTION:Line one\\nLine two\\; https://shop.example/",
      "ATTACH:https://shop.example/a.pdf",
      "ATTENDEE:mailto:bob@shop.example",
    ]);
    expect(lines.join("\n")).not.to.match(/home|aGVsbG8|principal|urn:/);
  });

  it("answers as the header of its part says where it has no method itself, as in vCalendar 1.0", () => {
    const lines = [
      "BEGIN:VCALENDAR",
      "VERSION:1.0",
      "BEGIN:VEVENT",
      "UID:ev-1@shop.example",
      "ATTENDEE;ROLE=ATTENDEE;STATUS=ACCEPTED:Ada Lovelace <ada@home.example>",
      "END:VEVENT",
      "END:VCALENDAR",
    ];
    const answer = linesOf(rewrite(lines, "reply"));
    expect(answer).to.include("METHOD:REPLY");
    expect(answer).to.include("UID:ev-1@shop.example");
    expect(answer).to.include(`ATTENDEE;ROLE=ATTENDEE:mailto:${mask}`);
    expect(findCalendarTraces([{ text: lines.join("\r\n"), method: "REPLY" }], isOwn)).to.deep.equal({
      isScheduling: true,
      names: ["Ada Lovelace"],
    });
    expect(findCalendarTraces([{ text: "", method: "COUNTER" }], isOwn).isScheduling).to.equal(true);
    expect(findCalendarTraces([{ text: "", method: "publish" }], isOwn).isScheduling).to.equal(false);
  });

  it("shows no id of the owner's provider in an answer to somebody elsewhere", () => {
    const answer = (uid: string): readonly string[] =>
      linesOf(
        rewrite([
          "BEGIN:VCALENDAR",
          "METHOD:COUNTER",
          "BEGIN:VEVENT",
          `UID:${uid}`,
          "ORGANIZER:mailto:bob@shop.example",
          "RELATED-TO:series@home.example",
          "RELATED-TO:series@shop.example",
          "END:VEVENT",
          "END:VCALENDAR",
        ]),
      ).filter((line) => line.startsWith("RELATED-TO"));
    expect(answer("1@shop.example")).to.deep.equal([
      "RELATED-TO:outside-19",
      "RELATED-TO:series@shop.example",
    ]);
    expect(answer("1@home.example"), "the organizer has the same provider").to.deep.equal([
      "RELATED-TO:series@home.example",
      "RELATED-TO:series@shop.example",
    ]);
  });

  it("has lines of at most 75 octets, with whole characters", () => {
    const summary = "ä€😀".repeat(60);
    const calendar = rewrite([
      "BEGIN:VCALENDAR",
      "BEGIN:VEVENT",
      `SUMMARY:${summary}`,
      "END:VEVENT",
      "END:VCALENDAR",
    ]);
    for (const line of calendar.split("\r\n")) expect(Buffer.byteLength(line)).to.be.at.most(75);
    expect(linesOf(Buffer.from(calendar).toString())).to.include(`SUMMARY:${summary}`);
  });

  it("is empty where there is no calendar", () => {
    expect(rewrite(["BEGIN:VCARD", "FN:Ada", "END:VCARD"])).to.equal("");
    expect(rewrite(["ada@home.example"])).to.equal("");
  });

  it("takes time in proportion to its length, whatever it consists of", () => {
    const inside = (body: string): void => {
      rewrite(["BEGIN:VCALENDAR", "METHOD:REPLY", "BEGIN:VEVENT", body, "END:VEVENT", "END:VCALENDAR"]);
    };
    const pieces = [
      "\r\n ",
      ";",
      '"',
      "A:b\r\n",
      "BEGIN:VEVENT\r\n",
      "BEGIN:X\r\n",
      "END:VEVENT\r\n",
      "SUMMARY:\\\\\\n\r\n",
      "ATTENDEE;CN=a:mailto:ada@home.example\r\n",
      "DTSTART;TZID=Europe/Berlin:20261121T090000\r\n",
      "DTSTART;TZID=A/B:20261121T090000\r\n",
    ];
    for (const piece of pieces)
      expectLinear(piece, Math.ceil(100_000 / piece.length), (times) => inside(piece.repeat(times)));
    for (const start of [
      "SUMMARY:",
      "ATTENDEE",
      "ATTENDEE;CN=",
      "DTSTART:",
      "URL:https://shop.example/",
      "UID:",
    ])
      for (const piece of ["a", ";", ":", '"', "%25", "\\n", "1"])
        expectLinear(`${start}${piece}`, 50_000, (times) => inside(`${start}${piece.repeat(times)}`));
  });
});
