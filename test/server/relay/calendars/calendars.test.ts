import { expect } from "chai";
import ICAL from "ical.js";
import PostalMime from "postal-mime";
import { useSqlite } from "../../support/databases.ts";
import { type DnsStub, startDnsStub } from "../../support/dnsStub.ts";
import { type RunningListener, startListener } from "../../support/listener.ts";
import { addDestination, addMask, addOwner, type Owner, type TestMask } from "../../support/owners.ts";
import { readQueue } from "../../support/queue.ts";
import { secrets } from "../../support/secrets.ts";
import {
  calendarMail,
  kinds,
  type Meeting,
  meetingOf,
  organizer,
  type Program,
  programs,
} from "./calendarMails.ts";

const reverse = /^mailto:re-[a-z2-7]{32}@masks\.example$/;
const ownerName = "Alice Wonder";
const traces =
  /alice|wonder|home\.example|user-\d|mozilla|google inc|outlook|apple|nextcloud|sabre|exchange/i;
/** Chance, in which any short word appears now and then. */
const chance = /[\w-]{23,}(?=@masks\.example)|\bb_[0-9a-f]{32}/g;

/** The texts of all parts of a mail, decoded, and its header. */
const readMail = async (content: string) => {
  const { text = "", html = "", subject = "", attachments } = await PostalMime.parse(content);
  const calendars = attachments
    .filter(({ mimeType, filename }) => /calendar|ics/.test(`${mimeType} ${filename}`))
    .map((part) =>
      Buffer.from(part.content as ArrayBuffer)
        .toString("utf8")
        .replaceAll(/\r?\n/g, "\r\n"),
    );
  const header = content.split("\r\n\r\n", 1)[0] ?? "";
  return { header, text, html, subject, calendars };
};

const unfolded = (calendar: string): string => calendar.replaceAll(/\r\n[ \t]/g, "");
const linesOf = (calendar: string, name: RegExp): readonly string[] =>
  unfolded(calendar)
    .split("\r\n")
    .filter((line) => name.test(line));
const eventOf = (calendar: string) => {
  const event = new ICAL.Component(ICAL.parse(calendar)).getFirstSubcomponent("vevent");
  if (!event) throw new Error(`no event in ${calendar}`);
  return event;
};
/** What makes an answer match (RFC 5546, 2.1.5). */
const matched = /^(?:UID|SEQUENCE|RECURRENCE-ID|DTSTAMP)\b/;

describe("Mails of calendar programs", () => {
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
    owner = await addOwner(database().db, "business");
    mask = await addMask(database().db, owner);
    relay = await startListener(database(), undefined, {
      dnsServer: dns.address,
      trustedNetworks: [],
      senderLimits: { perMinute: 1_000, perHour: 1_000, dailyShare: 100 },
      secrets,
    });
  });
  afterEach(() => relay.close());

  const send = async (from: string, to: string, content: string | Buffer): Promise<string> => {
    await relay.clock.advance(1);
    return (await relay.connect()).mail(from, [to], content);
  };
  const newest = async (recipient: string): Promise<string> => {
    const found = (await readQueue(database().db)).filter((one) => one.recipient === recipient).at(-1);
    return found?.content.toString() ?? "";
  };
  /** Sends a mail of the organizer to the mask; returns what the owner's calendar program reads. */
  const receive = async (content: string | Buffer) => {
    expect(await send(organizer, mask.email, content)).to.match(/^250/);
    return newest(owner.email);
  };

  /** The answer of a calendar program to what it has read, by the addresses that it has read. */
  const answerTo = (program: Program, meeting: Meeting, calendar: string, method: string) => {
    const event = eventOf(calendar);
    const to = String(event.getFirstPropertyValue("organizer"));
    const email =
      event.getFirstProperty("organizer")?.getFirstParameter("email") ?? to.replace(/^mailto:/i, "");
    const [subject, text, html] = program.answer(ownerName, "Accepted");
    const fromOrganizer = linesOf(
      calendar,
      /^(?:ORGANIZER|UID|SEQUENCE|RECURRENCE-ID|SUMMARY|DTSTART|DTEND)\b/,
    );
    const answer = [
      "BEGIN:VCALENDAR",
      `PRODID:${program.prodId}`,
      "VERSION:2.0",
      `METHOD:${method}`,
      "BEGIN:VEVENT",
      ...fromOrganizer,
      "DTSTAMP:20261124T120000Z",
      `ATTENDEE;CN=${ownerName};PARTSTAT=ACCEPTED;ROLE=REQ-PARTICIPANT;EMAIL=${owner.email}:mailto:${owner.email}`,
      `COMMENT:${ownerName} is looking forward`,
      "X-CALENDARSERVER-PRIVATE-COMMENT:x",
      "END:VEVENT",
      "END:VCALENDAR",
      "",
    ].join("\r\n");
    return {
      to: email,
      content: [
        `From: ${ownerName} <${owner.email}>`,
        `To: ${email}`,
        `Subject: ${subject}`,
        `Message-ID: <answer-${meeting.kind.replaceAll(" ", "-")}@mail.home.example>`,
        "MIME-Version: 1.0",
        'Content-Type: multipart/mixed; boundary="m"',
        "",
        "--m",
        'Content-Type: multipart/alternative; boundary="a"',
        "",
        "--a",
        "Content-Type: text/plain; charset=utf-8",
        "",
        text,
        "--a",
        "Content-Type: text/html; charset=utf-8",
        "",
        html,
        "--a",
        `Content-Type: text/calendar; charset=utf-8; method=${method}`,
        "",
        answer,
        "--a--",
        "--m",
        'Content-Type: application/ics; name="invite.ics"',
        'Content-Disposition: attachment; filename="Alice Wonder.ics"',
        "Content-Transfer-Encoding: base64",
        "",
        Buffer.from(answer).toString("base64"),
        "--m--",
        "",
      ].join("\r\n"),
    };
  };

  const expectForwarded = (calendar: string, original: string): void => {
    const people = linesOf(calendar, /^(?:ORGANIZER|ATTENDEE)\b/);
    for (const line of people)
      expect(line, line).to.match(
        new RegExp(
          `:mailto:(?:re-[a-z2-7]{32}@masks\\.example|${owner.email})$|:invalid:nomail$|principal/$`,
        ),
      );
    expect(
      people.filter((line) => line.endsWith(`:mailto:${owner.email}`)),
      people.join("\n"),
    ).to.have.length(1);
    const others = linesOf(calendar, /^(?!UID|DESCRIPTION|SUMMARY)/).join("\n");
    expect(others).not.to.match(/@(?!masks\.example|home\.example)[\w.-]+\.example/i);
    expect(linesOf(calendar, matched)).to.deep.equal(linesOf(original, matched));
    expect(
      linesOf(calendar, /^(?:SUMMARY|DESCRIPTION|RRULE|DT|X-MICROSOFT-CDO|X-MOZ|X-GOOGLE)/),
    ).to.deep.equal(linesOf(original, /^(?:SUMMARY|DESCRIPTION|RRULE|DT|X-MICROSOFT-CDO|X-MOZ|X-GOOGLE)/));
  };

  it("name the owner and lead through the mask, and their answers show nothing of the owner: 30 of each, 60 in all", async () => {
    let count = 0;
    for (const program of programs)
      for (const kind of kinds) {
        const what = `${program.name}, ${kind}`;
        const meeting = meetingOf(program, kind, mask.email);
        const mail = calendarMail(program, meeting);
        const original = await readMail(mail);
        const forwarded = await readMail(await receive(mail));
        expect(forwarded.header, what).to.contain("\r\nX-Bauta-Calendar: through the mask\r\n");
        expect(forwarded.calendars, what).to.have.length(original.calendars.length);
        for (const [n, calendar] of forwarded.calendars.entries())
          expectForwarded(calendar, original.calendars[n] ?? "");
        expect([forwarded.text, forwarded.html], what).to.deep.equal([original.text, original.html]);
        count += 1;

        const method = kind === "counter declined" ? "COUNTER" : kind === "update" ? "REFRESH" : "REPLY";
        const answer = answerTo(program, meeting, forwarded.calendars[0] ?? "", method);
        expect(`mailto:${answer.to}`, what).to.match(reverse);
        expect(await send(owner.email, answer.to, answer.content), what).to.match(/^250/);
        const sent = await newest(organizer);
        const got = await readMail(sent);
        const shown = [got.header, got.text, got.html, ...got.calendars].join("\n").replaceAll(chance, "");
        expect(unfolded(shown).replaceAll(program.uid, ""), what).not.to.match(traces);
        expect(got.calendars, what).to.have.length(2);
        for (const calendar of got.calendars) {
          const event = eventOf(calendar);
          expect(event.getFirstPropertyValue("organizer"), what).to.equal(`mailto:${organizer}`);
          expect(
            event.getAllProperties("attendee").map((one) => one.getFirstValue()),
            what,
          ).to.deep.equal([`mailto:${mask.email}`]);
          expect(event.getFirstProperty("attendee")?.getFirstParameter("partstat")).to.equal("ACCEPTED");
          expect(linesOf(calendar, /^(?:UID|SEQUENCE|RECURRENCE-ID)/), what).to.deep.equal(
            linesOf(original.calendars[0] ?? "", /^(?:UID|SEQUENCE|RECURRENCE-ID)/).toSorted(
              (one, other) => calendar.indexOf(one.slice(0, 5)) - calendar.indexOf(other.slice(0, 5)),
            ),
          );
        }
        count += 1;
      }
    expect(count).to.equal(60);
  });

  const invitation = (kind: (typeof kinds)[number] = "invitation"): string => {
    const [program] = programs;
    if (!program) throw new Error("no program");
    return calendarMail(program, meetingOf(program, kind, mask.email));
  };
  const people = async (content: string): Promise<readonly string[]> =>
    (await readMail(content)).calendars.flatMap((one) => linesOf(one, /^(?:ORGANIZER|ATTENDEE)\b/));

  it("name in each copy the address that gets it", async () => {
    const second = "ada@work.example";
    const destinationId = await addDestination(database().db, { owner, email: second, confirmed: true });
    await database()
      .db.insertInto("mask_destinations")
      .values({ user_id: owner.id, mask_id: mask.id, destination_id: destinationId, position: 0 })
      .execute();
    const first = await people(await receive(invitation()));
    expect(first.filter((line) => line.endsWith(`:mailto:${owner.email}`))).to.have.length(1);
    const other = await people(await newest(second));
    expect(other.filter((line) => line.endsWith(`:mailto:${second}`))).to.have.length(1);
    expect([...first, ...other].join("\n").match(/home\.example|work\.example/g)).to.have.length(2);
  });

  it("stay as they came where the owner has switched that off", async () => {
    await database()
      .db.updateTable("users")
      .set({ calendars_through_mask: 0 })
      .where("id", "=", owner.id)
      .execute();
    const content = await receive(invitation());
    expect(content).not.to.contain("X-Bauta-Calendar");
    expect(content.endsWith(invitation().replace(/^[\s\S]*?\r\n\r\n/, ""))).to.equal(true);
  });

  it("that are signed stay, and the owner is told once", async () => {
    const signed = [
      `From: Bob <${organizer}>`,
      "Subject: Tea",
      'Content-Type: multipart/signed; boundary=s; protocol="application/pgp-signature"',
      "",
      "--s",
      "Content-Type: text/calendar",
      "",
      `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nORGANIZER:mailto:${organizer}\r\nEND:VEVENT\r\nEND:VCALENDAR`,
      "--s",
      "Content-Type: application/pgp-signature",
      "",
      "x",
      "--s--",
      "",
    ].join("\r\n");
    await receive(signed);
    const content = await receive(signed);
    expect(content).to.contain("\r\nX-Bauta-Calendar: kept (sealed)\r\n");
    expect(content).to.contain(`ORGANIZER:mailto:${organizer}`);
    const told = await database().db.selectFrom("notifications").select("message").execute();
    expect(
      told.filter(({ message }) => message.startsWith("A signed or encrypted invitation")),
    ).to.have.length(1);
  });

  it("that no program can read arrive as a file without the type of a calendar", async () => {
    const content = await receive(
      [`From: <${organizer}>`, "Content-Type: text/calendar; charset=utf-7", "", "+AEA-", ""].join("\r\n"),
    );
    expect(content).to.contain(
      "\r\nX-Bauta-Calendar: disarmed (encoding)\r\nContent-Type: application/octet-stream\r\n",
    );
    expect(content).to.contain("\r\nX-Bauta-Original-Content-Type: text/calendar; charset=utf-7\r\n");
  });

  it("of the owner are known outside by another id, under which answers find them again", async () => {
    await receive(`From: Bob <${organizer}>\r\nSubject: Hi\r\n\r\nHi\r\n`);
    const bob = /<(re-[a-z2-7]{32}@masks\.example)>/.exec(await newest(owner.email))?.[1] ?? "";
    const uid = "0a1b-ALICE@cloud.home.example";
    const own = (method: string, sequence: number): string =>
      [
        `From: ${ownerName} <${owner.email}>`,
        `To: ${bob}`,
        "Subject: Invitation from Alice Wonder: Tea",
        "Content-Type: text/calendar; charset=utf-8",
        "",
        "BEGIN:VCALENDAR",
        `METHOD:${method}`,
        "BEGIN:VEVENT",
        `UID:${uid}`,
        `RELATED-TO:series-${uid}`,
        `SEQUENCE:${sequence}`,
        "DTSTAMP:20261124T110000Z",
        "DTSTART:20261201T110000Z",
        "SUMMARY:Tea",
        `ORGANIZER;CN=${ownerName}:mailto:${owner.email}`,
        `ATTENDEE:mailto:${bob}`,
        "END:VEVENT",
        "END:VCALENDAR",
        "",
      ].join("\r\n");
    const idOf = (calendar: string): string => linesOf(calendar, /^UID:/)[0]?.slice("UID:".length) ?? "";
    const ids: string[] = [];
    for (const [method, sequence] of [
      ["REQUEST", 0],
      ["REQUEST", 1],
      ["CANCEL", 2],
    ] as const) {
      expect(await send(owner.email, bob, own(method, sequence))).to.match(/^250/);
      const sent = await newest(organizer);
      expect(sent.replaceAll(chance, "")).not.to.match(traces);
      ids.push(idOf((await readMail(sent)).calendars[0] ?? ""));
    }
    expect(new Set(ids).size).to.equal(1);
    const outside = ids[0] ?? "";
    expect(outside).to.match(/^[\w-]{23,}@masks\.example$/);
    const answer = await receive(
      [
        `From: Bob <${organizer}>`,
        "Subject: Accepted: Tea",
        "Content-Type: text/calendar; charset=utf-8; method=REPLY",
        "",
        "BEGIN:VCALENDAR",
        "METHOD:REPLY",
        "BEGIN:VEVENT",
        `UID:${outside}`,
        `ORGANIZER:mailto:${mask.email}`,
        `ATTENDEE;PARTSTAT=ACCEPTED:mailto:${organizer}`,
        "END:VEVENT",
        "END:VCALENDAR",
        "",
      ].join("\r\n"),
    );
    const [calendar = ""] = (await readMail(answer)).calendars;
    expect(idOf(calendar)).to.equal(uid);
    expect(linesOf(calendar, /^(?:ORGANIZER|ATTENDEE)/)).to.deep.equal([
      `ORGANIZER:mailto:${owner.email}`,
      `ATTENDEE;PARTSTAT=ACCEPTED;CN=bob.builder at shop.example:mailto:${bob}`,
    ]);
  });

  it("show no id of the owner's mails or events to who sends one back as their own", async () => {
    await receive(`From: Bob <${organizer}>\r\nSubject: Hi\r\n\r\nHi\r\n`);
    const bob = /<(re-[a-z2-7]{32}@masks\.example)>/.exec(await newest(owner.email))?.[1] ?? "";
    const mail = `From: <${owner.email}>\r\nTo: ${bob}\r\nMessage-ID: <1@mail.home.example>\r\n\r\nHi\r\n`;
    expect(await send(owner.email, bob, mail)).to.match(/^250/);
    const outside = /^Message-ID: <(.*)>/m.exec(await newest(organizer))?.[1] ?? "";
    for (const method of ["REQUEST", "REPLY"]) {
      const trap = await receive(
        invitation()
          .replace(/UID:.*/, `UID:${outside}`)
          .replace("METHOD:REQUEST", `METHOD:${method}`),
      );
      expect(trap).to.contain(`UID:${outside}`);
    }
  });
});
