/** The owner in the shapes: none of the three words may leave. */
export const owner = {
  address: "ada.lovelace@home.example",
  name: "Ada Lovelace",
  host: "home.example",
};

const [local, domain] = owner.address.split("@") as [string, string];

/** Writings of the owner's address that a program or a person uses. */
export const forms: Readonly<Record<string, string>> = {
  plain: owner.address,
  "upper case": owner.address.toUpperCase(),
  tagged: `${local}+shop@${domain}`,
  "rewritten sender": `bounces-${local}=${domain}@lists.example`,
  "rewritten twice": `SRS0=ab=cd=${domain}=${local}@relay.example`,
  "at and dot": `${local} (at) home (dot) example`,
  "at in words": `${local} at ${domain}`,
  "full width": "ada.lovelace＠home．example",
  "soft hyphen": `ada.love\u00adlace@ho\u00adme.example`,
  "zero width": `ada.lovelace\u200b@\u2060home.example`,
  percent: `${local}%40${domain}`,
  "percent twice": `${local}%2540${domain}`,
  "percent for all": [...Buffer.from(owner.address)].map((byte) => `%${byte.toString(16)}`).join(""),
  decimal: `${local}&#64;${domain}`,
  "decimal with zeros": `${local}&#0064;${domain}`,
  hexadecimal: `${local}&#x40;${domain}`,
  named: `ada&period;lovelace&commat;${domain}`,
  "named twice": `${local}&amp;#64;${domain}`,
  "hidden hyphen": `ada.love&shy;lace@${domain}`,
  "break in a word": `ada.love<wbr>lace@${domain}`,
  "bold part": `ada.<b>lovelace</b>@${domain}`,
  "below its domain": `${local}@mail.${domain}`,
  "JSON escape": `${local}\\u0040${domain}`,
  quoted: `"${local}"@${domain}`,
  "over two lines": `${local}@\r\n> ${domain}`,
  "in italics": `_${owner.address}_`,
};

const lines = (...all: readonly string[]): string => all.join("\r\n");

const hexPairs = (bytes: Buffer): string =>
  [...bytes].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");

const wrap = (text: string, length: number, end: string): string =>
  text.match(new RegExp(`.{1,${length}}`, "gs"))?.join(`${end}\r\n`) ?? "";

/** Transfer encodings with the names that programs give them. */
export const encodings: Readonly<Record<string, readonly [string, (bytes: Buffer) => string]>> = {
  none: ["8bit", (bytes) => bytes.toString("latin1")],
  "base 64": ["base64", (bytes) => wrap(bytes.toString("base64"), 76, "")],
  "base 64 in short lines": ["BASE64", (bytes) => wrap(bytes.toString("base64"), 5, "")],
  "quoted-printable": ["quoted-printable", (bytes) => wrap(hexPairs(bytes), 60, "=")],
  "quoted-printable with soft breaks": [
    "quoted-printable",
    (bytes) =>
      bytes
        .toString("latin1")
        .split("\r\n")
        .map(
          (line) =>
            line
              .match(/.{1,7}/gs)
              ?.map((piece) => hexOrPlain(piece))
              .join("=\r\n") ?? "",
        )
        .join("\r\n"),
  ],
  "with a semicolon": ["quoted-printable;", (bytes) => wrap(hexPairs(bytes), 60, "=")],
  "in quotation marks": ['"base64"', (bytes) => wrap(bytes.toString("base64"), 76, "")],
};

const hexOrPlain = (piece: string): string =>
  piece.replace(/[=\x80-\xff]| $/g, (character) => hexPairs(Buffer.from(character, "latin1")));

/** A part as a program writes it: its fields besides the encoding, and its text. */
export interface ShapePart {
  readonly fields: readonly string[];
  readonly text: string;
  /** Whether a program never encodes this part. */
  readonly isPlain?: boolean;
  readonly charset?: "utf16le" | "latin1";
}

type Place = (form: string) => ShapePart;

const typed =
  (type: string, text: (form: string) => string, ...more: readonly string[]): Place =>
  (form) => ({ fields: [`Content-Type: ${type}`, ...more], text: text(form) });

const html = (body: (form: string) => string): Place =>
  typed("text/html; charset=utf-8", (form) => `<html><body><p>Yes</p>${body(form)}</body></html>`);
const attribute = (form: string): string => form.replace(/<\w+>|<\/\w+>|["\r\n>]/g, "");
const inEvent = (line: (form: string) => string): Place =>
  typed("text/calendar; charset=utf-8; method=REPLY", (form) =>
    lines(
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "METHOD:REPLY",
      "BEGIN:VEVENT",
      "UID:1@shop.example",
      line(form.replaceAll("\r\n", "\\n")),
      "END:VEVENT",
      "END:VCALENDAR",
    ),
  );
const sentence = (form: string): string => `Yes, write to ${form} please.`;
const picture =
  (...fields: readonly string[]): Place =>
  () => ({
    fields: ["Content-Type: image/png", ...fields],
    text: "\x89PNG\r\n\x1a\n\0\0",
    charset: "latin1",
  });
const attachedMail = (form: string): string =>
  lines(
    `Received: from laptop.${domain} (laptop.${domain} [192.0.2.7]) by mx.${domain}; Fri, 20 Nov 2026 11:00:00 +0100`,
    `Delivered-To: ${owner.address}`,
    `X-Forwarded-To: ${form.replaceAll("\r\n", "")}`,
    `From: "${owner.name}" <${owner.address}>`,
    `To: "owner ${owner.name}" <${owner.address}>, Bob <bob@shop.example>`,
    "Subject: earlier",
    "Content-Type: text/plain",
    "",
    sentence(form),
  );
const card = (form: string): string =>
  lines(
    "BEGIN:VCARD",
    "VERSION:3.0",
    `FN:${owner.name}`,
    `EMAIL:${form.replaceAll("\r\n", "")}`,
    "END:VCARD",
  );

/** Where the owner's address stands in a reply. */
export const places: Readonly<Record<string, Place>> = {
  text: typed("text/plain; charset=utf-8", sentence),
  "text without a subtype": typed("text", sentence),
  "flowed text": typed("text/plain; charset=utf-8; format=flowed", sentence),
  "flowed text with removed spaces": (form) => ({
    fields: ["Content-Type: text/plain; charset=utf-8; format=flowed; delsp=yes"],
    text: form.includes("\r\n") ? sentence(form) : `> Yes ${form.slice(0, 9)} \r\n> ${form.slice(9)}`,
  }),
  "text in another case": typed("TEXT/PLAIN; CHARSET=UTF-8", sentence),
  "text in an unknown character set": typed("text/plain; charset=x-our-own", sentence),
  "text in UTF-16": (form) => ({
    fields: ["Content-Type: text/plain; charset=utf-16le"],
    text: sentence(form),
    charset: "utf16le",
  }),
  enriched: typed("text/enriched; charset=utf-8", sentence),
  markdown: typed("text/markdown; charset=utf-8", (form) => `*Yes* [mail](mailto:${form})`),
  "comma-separated": typed(
    "text/csv; charset=utf-8; name=list.csv",
    (form) => `name,mail\r\nme,${form}`,
    "Content-Disposition: attachment; filename=list.csv",
  ),
  "attached text": typed(
    "text/plain; charset=utf-8",
    sentence,
    "Content-Disposition: attachment; filename=notes.txt",
  ),
  "attached page": typed(
    "text/html; charset=utf-8",
    (form) => `<html><body>${sentence(form)}</body></html>`,
    "Content-Disposition: attachment; filename=page.html",
  ),
  "text as bytes": typed(
    "application/octet-stream",
    sentence,
    "Content-Disposition: attachment; filename=data.bin",
  ),
  "text as JSON": typed("application/json", (form) => `{"mail": "${form}"}`),
  "vector picture": typed(
    "image/svg+xml",
    (form) => `<svg xmlns="http://www.w3.org/2000/svg"><text>${form}</text></svg>`,
  ),
  "rich text": typed("text/rtf", (form) => `{\\rtf1 ${form.replace("@", "\\'40")}}`),
  "raw mail as text": typed(
    "text/plain; charset=utf-8",
    (form) =>
      `Content-Transfer-Encoding: quoted-printable\r\n\r\nada.love=\r\nlace=40home.example\r\n${form}`,
    "Content-Disposition: attachment; filename=raw.txt",
  ),
  page: html((form) => `<p>${sentence(form)}</p>`),
  link: html((form) => `<a href="mailto:${attribute(form)}">me</a>`),
  "link to elsewhere": html((form) => `<a href="https://shop.example/u?m=${attribute(form)}">me</a>`),
  "title of an element": html((form) => `<span title="${attribute(form)} (${owner.name})">me</span>`),
  "picture's words": html((form) => `<img src="cid:logo" alt="${attribute(form)} ${owner.name}">`),
  "comment in a page": html((form) => `<!-- ${form} ${owner.name} -->`),
  "author of a page": typed(
    "text/html",
    (form) =>
      `<html><head><meta name=author content="${owner.name}"><meta name="reply-to" content="${attribute(form)}"><title>${owner.name}</title></head><body>Yes</body></html>`,
  ),
  "hidden element": html((form) => `<div style="display:none">${form}</div>`),
  "hidden mark of encryption": html(
    (form) => `<p>${form}</p><pre style="display:none">\r\n-----BEGIN PGP MESSAGE-----\r\n</pre>`,
  ),
  "local file": html(
    (form) =>
      `<img src="file:///C:/Users/Ada%20Lovelace/${attribute(form)}.png"><a href="file:///home/ada.lovelace/x">x</a>`,
  ),
  "form for phones": typed(
    "text/x-amp-html; charset=utf-8",
    (form) => `<html amp4email><body>${form}</body></html>`,
  ),
  attendee: inEvent(
    (form) => `ATTENDEE;CN="${owner.name}";PARTSTAT=ACCEPTED:mailto:${form.replaceAll('"', "")}`,
  ),
  organizer: inEvent(
    (form) => `ORGANIZER;CN=${owner.name};SENT-BY="mailto:${attribute(form)}":mailto:${owner.address}`,
  ),
  "folded attendee": inEvent((form) => `ATTENDEE;CN=x:mai\r\n lto:${form.slice(0, 6)}\r\n ${form.slice(6)}`),
  "words of an event": inEvent((form) => `DESCRIPTION:Ask ${form}`),
  "attached calendar": (form) => ({
    ...inEvent((one) => `ATTENDEE;CN=${owner.name}:mailto:${one}`)(form),
    fields: [
      "Content-Type: application/ics; name=invite.ics",
      "Content-Disposition: attachment; filename=invite.ics",
    ],
  }),
  card: typed("text/vcard; charset=utf-8", card),
  "older card": typed(
    "text/x-vcard; charset=utf-8; name=ada.vcf",
    card,
    'Content-Disposition: attachment; filename="Ada Lovelace.vcf"',
  ),
  "card as bytes": typed(
    "application/octet-stream; name=me.vcf",
    card,
    "Content-Disposition: attachment; filename=me.vcf",
  ),
  "wrapped Outlook mail": typed("application/ms-tnef; name=winmail.dat", sentence),
  "wrapped mail as bytes": typed(
    "application/octet-stream",
    sentence,
    "Content-Disposition: attachment; filename=WINMAIL.DAT",
  ),
  key: typed("application/pgp-keys; name=0xABC.asc", (form) =>
    lines("-----BEGIN PGP PUBLIC KEY BLOCK-----", `Comment: ${form}`, "-----END PGP PUBLIC KEY BLOCK-----"),
  ),
  "key as bytes": typed("application/octet-stream; name=key.asc", (form) =>
    lines("-----BEGIN PGP PUBLIC KEY BLOCK-----", `Comment: ${form}`, "-----END PGP PUBLIC KEY BLOCK-----"),
  ),
  "message with words before": typed("text/plain", (form) =>
    lines(form, "-----BEGIN PGP MESSAGE-----", "", "hF4D", "-----END PGP MESSAGE-----"),
  ),
  "message with words behind": typed("text/plain", (form) =>
    lines("-----BEGIN PGP MESSAGE-----", "", "hF4D", "-----END PGP MESSAGE-----", form),
  ),
  "receipt of a reader": typed("message/disposition-notification", (form) =>
    lines(`Reporting-UA: laptop.${domain}`, `Final-Recipient: rfc822;${form.replaceAll("\r\n", "")}`),
  ),
  "report of a server": typed("message/delivery-status", () =>
    lines(`Reporting-MTA: dns; mx.${domain}`, "", `Final-Recipient: rfc822; ${owner.address}`),
  ),
  "attached mail": typed("message/rfc822", attachedMail),
  "attached mail as bytes": typed(
    "application/octet-stream; name=mail.eml",
    attachedMail,
    "Content-Disposition: attachment; filename=mail.eml",
  ),
  "attached mail in UTF-8": typed("message/global", attachedMail),
  "header of a mail": typed("text/rfc822-headers", attachedMail),
  "fragment of a mail": typed('message/partial; id="1@x"; number=1; total=2', attachedMail),
  "mail to be fetched": typed(
    `message/external-body; access-type=URL; URL="http://mail.${domain}/1"`,
    () => `Content-Type: text/plain\r\n\r\n`,
  ),
  digest: (form) => ({
    fields: ["Content-Type: multipart/digest; boundary=dd"],
    text: lines("--dd", "", attachedMail(form), "--dd", "", attachedMail(form), "--dd--"),
    isPlain: true,
  }),
  report: (form) => ({
    fields: ["Content-Type: multipart/report; report-type=delivery-status; boundary=dd"],
    text: lines(
      form,
      "--dd",
      "Content-Type: text/plain",
      "",
      form,
      "--dd",
      "Content-Type: message/delivery-status",
      "",
      `Reporting-MTA: dns; mx.${domain}`,
      "--dd--",
      form,
    ),
    isPlain: true,
  }),
  "words around parts": (form) => ({
    fields: ["Content-Type: multipart/mixed; boundary=dd"],
    text: lines(
      `This is for ${form}`,
      "--dd",
      "Content-Type: text/plain",
      `X-Author: ${owner.name}`,
      "",
      "Yes",
      "--dd--",
      form,
    ),
    isPlain: true,
  }),
  "signed by name only": (form) => ({
    fields: ["Content-Type: multipart/signed; boundary=dd"],
    text: lines(
      "--dd",
      "Content-Type: text/plain",
      "",
      form,
      "--dd",
      "Content-Type: text/plain",
      "",
      form,
      "--dd--",
    ),
    isPlain: true,
  }),
  "name of a file": picture(`Content-Disposition: attachment; filename="${owner.name} ${owner.address}.png"`),
  "name of a file in UTF-8": picture(
    "Content-Disposition: attachment;\r\n filename*0*=utf-8''Ada%20Love;\r\n filename*1*=lace%40home.example.png",
  ),
  "encoded name of a file": picture(
    `Content-Disposition: inline; filename="=?utf-8?B?${Buffer.from(`${owner.name}.png`).toString("base64")}?="`,
  ),
  "path of a file": picture(
    `Content-Disposition: attachment; filename="C:\\\\Users\\\\Ada Lovelace\\\\logo.png"`,
  ),
  "times of a file": picture(
    `Content-Disposition: attachment; filename=logo.png; modification-date="Fri, 20 Nov 2026 13:00:00 +0200 (${owner.name})"`,
  ),
  "description of a part": picture(`Content-Description: ${owner.name} <${owner.address}>`),
  "place of a part": picture(
    `Content-Location: http://mail.${domain}/logo.png`,
    `Content-Base: "http://mail.${domain}/"`,
  ),
  "id of a part": picture(`Content-ID: <logo@${domain}>`),
  "other fields of a part": picture(`X-Author: ${owner.name}`, `X-Apple-Base-Url: x-msg://${domain}/`),
};

/** A reply whose only other part says "Yes". */
export const replyWith = (
  place: Place,
  form: string,
  [encodingName, encode]: readonly [string, (bytes: Buffer) => string],
): Buffer => {
  const { fields, text, isPlain, charset } = place(form);
  const bytes = Buffer.from(text, charset ?? "utf8");
  const body = isPlain ? bytes.toString("latin1") : encode(bytes);
  return Buffer.from(
    lines(
      `Received: from [192.0.2.7] (laptop.${domain}) by mx.${domain}; Fri, 20 Nov 2026 13:00:00 +0200`,
      `From: "${owner.name}" <${owner.address}>`,
      "To: <bob@shop.example>",
      "Subject: Re: order",
      `Message-ID: <1@mx.${domain}>`,
      "MIME-Version: 1.0",
      "Content-Type: multipart/mixed; boundary=outer",
      "",
      "--outer",
      "Content-Type: text/plain",
      "",
      "Yes",
      "--outer",
      ...fields,
      ...(isPlain ? [] : [`Content-Transfer-Encoding: ${encodingName}`]),
      "",
      body,
      "--outer--",
      "",
    ),
    "latin1",
  );
};
