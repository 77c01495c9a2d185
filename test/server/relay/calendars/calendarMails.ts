import { encodeQuotedPrintable } from "../../../../server/mime/quotedPrintable.ts";

/** What a mail of a calendar program says. */
export type Kind = "invitation" | "update" | "occurrence" | "cancellation" | "delegate" | "counter declined";

export const kinds: readonly Kind[] = [
  "invitation",
  "update",
  "occurrence",
  "cancellation",
  "delegate",
  "counter declined",
];

const methods: Readonly<Record<Kind, string>> = {
  invitation: "REQUEST",
  update: "REQUEST",
  occurrence: "REQUEST",
  cancellation: "CANCEL",
  delegate: "REQUEST",
  "counter declined": "DECLINECOUNTER",
};
const sequences: Readonly<Record<Kind, number>> = {
  invitation: 0,
  update: 3,
  occurrence: 1,
  cancellation: 4,
  delegate: 0,
  "counter declined": 2,
};

export interface Meeting {
  readonly kind: Kind;
  readonly method: string;
  readonly uid: string;
  readonly sequence: number;
  readonly recurrence: string;
  readonly mask: string;
}

export interface Program {
  readonly name: string;
  readonly uid: string;
  /** The properties of the event as the program writes them. */
  readonly event: (meeting: Meeting) => readonly string[];
  /** What stands around the event. */
  readonly head: readonly string[];
  /** The MIME fields and body of a mail with the calendar. */
  readonly wrap: (calendar: string, meeting: Meeting) => readonly string[];
  /** Subject, text and HTML of an answer. */
  readonly answer: (name: string, verb: string) => readonly [string, string, string];
  readonly prodId: string;
}

const base64 = (text: string): string =>
  Buffer.from(text)
    .toString("base64")
    .replace(/.{76}(?=.)/g, "$&\r\n");
const quoted = (text: string): string =>
  encodeQuotedPrintable(Buffer.from(text).toString("latin1")).toString("latin1");

const fold = (line: string): string => line.replace(/(.{70})(?=.)/gu, "$1\r\n ");

const zone = [
  "BEGIN:VTIMEZONE",
  "TZID:Europe/Berlin",
  "BEGIN:STANDARD",
  "DTSTART:19701025T030000",
  "TZOFFSETFROM:+0200",
  "TZOFFSETTO:+0100",
  "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU",
  "END:STANDARD",
  "END:VTIMEZONE",
];

const times = ({ recurrence }: Meeting): readonly string[] => [
  "DTSTAMP:20261124T110000Z",
  "DTSTART;TZID=Europe/Berlin:20261201T120000",
  "DTEND;TZID=Europe/Berlin:20261201T130000",
  ...(recurrence === "" ? ["RRULE:FREQ=WEEKLY;COUNT=4"] : [recurrence]),
];

export const organizer = "bob.builder@shop.example";
const guest = "carol@elsewhere.example";

const html = (text: string): string => `<html><body><p>${text}</p></body></html>`;

const alternative = (text: string, calendar: readonly string[]): readonly string[] => [
  'Content-Type: multipart/alternative; boundary="alt"',
  "",
  "--alt",
  "Content-Type: text/plain; charset=utf-8",
  "",
  text,
  "--alt",
  "Content-Type: text/html; charset=utf-8",
  "",
  html(text),
  "--alt",
  ...calendar,
  "--alt--",
];

/** The programs, with texts as they write them. */
export const programs: readonly Program[] = [
  {
    name: "Thunderbird",
    uid: "5f1c1a34-55c5-4a0e-9df3-0a3a8e0e2a51",
    prodId: "-//Mozilla.org/NONSGML Mozilla Calendar V1.1//EN",
    head: [],
    event: ({ mask }) => [
      `ORGANIZER;RSVP=TRUE;CN=Bob Builder;PARTSTAT=ACCEPTED;ROLE=CHAIR:mailto:${organizer}`,
      `ATTENDEE;RSVP=TRUE;PARTSTAT=NEEDS-ACTION;ROLE=REQ-PARTICIPANT:mailto:${mask}`,
      `ATTENDEE;RSVP=TRUE;CN=Carol;PARTSTAT=NEEDS-ACTION;ROLE=REQ-PARTICIPANT:MAILTO:${guest}`,
      "X-MOZ-SEND-INVITATIONS:TRUE",
      "X-MOZ-SEND-INVITATIONS-UNDISCLOSED:FALSE",
      'DESCRIPTION;ALTREP="data:text/html,%3Cbody%3ETea%3C%2Fbody%3E":Tea',
    ],
    wrap: (calendar, { method }) =>
      alternative("Bob Builder has invited you to Tea", [
        `Content-Type: text/calendar; method=${method}; charset=UTF-8`,
        "Content-Transfer-Encoding: 8bit",
        "",
        calendar,
      ]),
    answer: (name, verb) => [
      `Event Invitation Reply (${verb}): Tea`,
      `${name} has ${verb} your event invitation.`,
      "",
    ],
  },
  {
    name: "Google",
    uid: "7kukuqrfedlm2f9t0ka1b2c3d4@google.com",
    prodId: "-//Google Inc//Google Calendar 70.9054//EN",
    head: ["CALSCALE:GREGORIAN"],
    event: ({ mask }) => [
      `ORGANIZER;CN=${organizer}:mailto:${organizer}`,
      `ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=TRUE;CN=${organizer};X-NUM-GUESTS=0:mailto:${organizer}`,
      `ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE;CN=${mask};X-NUM-GUESTS=0:mailto:${mask}`,
      `ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=OPT-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE;CN=${guest};X-NUM-GUESTS=0:mailto:${guest}`,
      "X-MICROSOFT-CDO-OWNERAPPTID:-1245829323",
      "X-GOOGLE-CONFERENCE:https://meet.google.com/abc-defg-hij",
      "DESCRIPTION:Join with Google Meet: https://meet.google.com/abc-defg-hij",
      "CREATED:20261124T100000Z",
      "TRANSP:OPAQUE",
      "BEGIN:VALARM",
      "ACTION:EMAIL",
      `ATTENDEE:mailto:${organizer}`,
      "SUMMARY:Alarm notification",
      "DESCRIPTION:Reminder",
      "TRIGGER:-P0DT0H30M0S",
      "END:VALARM",
    ],
    wrap: (calendar, { method }) => [
      'Content-Type: multipart/mixed; boundary="mix"',
      "",
      "--mix",
      ...alternative("You have been invited to Tea", [
        `Content-Type: text/calendar; charset="UTF-8"; method=${method}`,
        "Content-Transfer-Encoding: quoted-printable",
        "",
        quoted(calendar),
      ]),
      "--mix",
      'Content-Type: application/ics; name="invite.ics"',
      'Content-Disposition: attachment; filename="invite.ics"',
      "Content-Transfer-Encoding: base64",
      "",
      base64(calendar),
      "--mix--",
    ],
    answer: (name, verb) => [
      `${verb}: Tea @ Tue Dec 1, 2026 12pm - 1pm (CET) (${name})`,
      `${name} has ${verb} this invitation.`,
      `<b>${name.replace(" ", "&nbsp;")}</b> has ${verb} <span title="${name}">this invitation</span>.`,
    ],
  },
  {
    name: "Apple",
    uid: "B3B5D5A0-8E0E-4E0F-8C4F-6F1B1D1C5A11",
    prodId: "-//Apple Inc.//macOS 14.5//EN",
    head: ["CALSCALE:GREGORIAN"],
    event: ({ mask }) => [
      `ORGANIZER;CN="Bob Builder";EMAIL="${organizer}":/aMTIz/principal/`,
      `ATTENDEE;CN="Bob Builder";CUTYPE=INDIVIDUAL;EMAIL="${organizer}";PARTSTAT=ACCEPTED;ROLE=CHAIR:/aMTIz/principal/`,
      `ATTENDEE;CUTYPE=INDIVIDUAL;EMAIL="${mask}";PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:${mask}`,
      `ATTENDEE;CN="Carol";CUTYPE=INDIVIDUAL;EMAIL="${guest}";PARTSTAT=NEEDS-ACTION;RSVP=TRUE;DELEGATED-FROM="mailto:dave@elsewhere.example";MEMBER="mailto:all@elsewhere.example","mailto:some@elsewhere.example":mailto:${guest}`,
      "X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC",
      `URL:mailto:${organizer}?subject=Tea&cc=${guest}`,
    ],
    wrap: (calendar, { method }) => [
      'Content-Type: multipart/alternative; boundary="apple"',
      "",
      "--apple",
      "Content-Type: text/plain; charset=utf-8",
      "",
      "Bob Builder invited you to Tea.",
      "--apple",
      'Content-Type: multipart/mixed; boundary="inner"',
      "",
      "--inner",
      "Content-Type: text/html; charset=utf-8",
      "",
      html("Bob Builder invited you"),
      "--inner",
      `Content-Type: text/calendar; method=${method}; name="iCal-20261124.ics"; charset=utf-8`,
      'Content-Disposition: attachment; filename="iCal-20261124.ics"',
      "Content-Transfer-Encoding: quoted-printable",
      "",
      quoted(calendar),
      "--inner--",
      "--apple--",
    ],
    answer: (name, verb) => [
      `${verb}: Tea`,
      `${name} ${verb} your invitation to “Tea”`,
      `${name} ${verb} your invitation`,
    ],
  },
  {
    name: "Outlook",
    uid: "040000008200E00074C5B7101A82E00800000000D0F4B2B1E5A5DA01000000000000000010000000F2E1B5B7D1F5F84E9C0E4F9B0C1D2E3F",
    prodId: "Microsoft Exchange Server 2010",
    head: [],
    event: ({ mask }) => [
      `ORGANIZER;CN=Bob Builder;SENT-BY="MAILTO:assistant@shop.example":mailto:${organizer}`,
      `ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE;CN=${mask}:mailto:${mask}`,
      `ATTENDEE;ROLE=OPT-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE;CN=Carol:invalid:nomail`,
      `ATTENDEE;ROLE=OPT-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE;CN=Carol:mailto:${guest}`,
      "DESCRIPTION;LANGUAGE=en-US:\\n________________________________\\nMicrosoft Teams meeting\\n",
      "X-MICROSOFT-CDO-APPT-SEQUENCE:0",
      "X-MICROSOFT-CDO-BUSYSTATUS:TENTATIVE",
      `X-MS-OLK-SENDER;CN="Bob Builder":mailto:${organizer}`,
      "X-MICROSOFT-DISALLOW-COUNTER:FALSE",
      "CLASS:PUBLIC",
    ],
    wrap: (calendar, { method }) =>
      alternative("________________________________ Microsoft Teams meeting", [
        `Content-Type: text/calendar; charset="utf-8"; method=${method}`,
        "Content-Transfer-Encoding: base64",
        "",
        base64(calendar),
      ]),
    answer: (name, verb) => [`${verb}: Tea`, `From ${name}`, `<p>${name.toUpperCase()}</p>`],
  },
  {
    name: "Nextcloud",
    uid: "c7c5a6b0-3f4e-4d54-8a0e-cloud.shop.example",
    prodId: "-//Sabre//Sabre VObject 4.5.6//EN",
    head: ["CALSCALE:GREGORIAN"],
    event: ({ mask }) => [
      `ORGANIZER;CN=Bob Builder:mailto:${organizer}`,
      `ATTENDEE;CUTYPE=INDIVIDUAL;PARTSTAT=NEEDS-ACTION;ROLE=REQ-PARTICIPANT;RSVP=TRUE;LANGUAGE=en;SCHEDULE-STATUS=1.1:mailto:${mask}`,
      `ATTENDEE;CN=Cärol Çelik;CUTYPE=INDIVIDUAL;PARTSTAT=ACCEPTED;SCHEDULE-STATUS=1.1:mailto:${guest}`,
      `CONTACT:${guest}`,
    ],
    wrap: (calendar, { method }) => [
      `Content-Type: text/calendar; charset=utf-8; method=${method}; component=vevent`,
      "Content-Transfer-Encoding: 8bit",
      "",
      calendar,
    ],
    answer: (name, verb) => [
      `Re: Tea (${name.split(" ").reverse().join(", ")})`,
      `${name} ${verb} your invitation · cloud.home.example`,
      `<td style="x">${name} ${verb}</td>`,
    ],
  },
];

export const meetingOf = (program: Program, kind: Kind, mask: string): Meeting => ({
  kind,
  mask,
  method: methods[kind],
  uid: program.uid,
  sequence: sequences[kind],
  recurrence: kind === "occurrence" ? "RECURRENCE-ID;TZID=Europe/Berlin:20261208T120000" : "",
});

const calendarOf = (program: Program, meeting: Meeting): string =>
  [
    "BEGIN:VCALENDAR",
    `PRODID:${program.prodId}`,
    "VERSION:2.0",
    ...program.head,
    `METHOD:${meeting.method}`,
    ...zone,
    "BEGIN:VEVENT",
    `UID:${meeting.uid}`,
    "SUMMARY:Tea",
    ...times(meeting),
    `SEQUENCE:${meeting.sequence}`,
    ...program.event(meeting),
    ...(meeting.kind === "delegate"
      ? [`ATTENDEE;PARTSTAT=DELEGATED;DELEGATED-TO="mailto:${meeting.mask}":mailto:erin@elsewhere.example`]
      : []),
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ]
    .map(fold)
    .join("\r\n");

/** The fields and body of a mail with a calendar to a mask. */
export const calendarMail = (program: Program, meeting: Meeting): string =>
  [
    `From: Bob Builder <${organizer}>`,
    `To: ${meeting.mask}`,
    "Subject: Tea",
    "Date: Tue, 24 Nov 2026 11:00:00 +0000",
    `Message-ID: <${program.name}-${meeting.kind.replaceAll(" ", "-")}@shop.example>`,
    "MIME-Version: 1.0",
    ...program.wrap(calendarOf(program, meeting), meeting),
    "",
  ].join("\r\n");
