import { readFileSync } from "node:fs";
import type { MailTexts } from "../../../core/codes/readableMail.ts";

/** A mail of the corpus, with what is to be found in it. */
export interface CorpusMail extends MailTexts {
  readonly language: string;
  readonly kind: "code" | "link" | "neither";
  readonly code: string | null;
  readonly link: string | null;
}

type Half = "developed" | "heldBack";

/** As codes are written in mails, and as they are typed. */
const codes = [
  ["482913", "482913"],
  ["048 215", "048215"],
  ["7K2QX9", "7K2QX9"],
  ["773-104", "773104"],
  ["G-620417", "620417"],
  ["3914", "3914"],
  ["59207183", "59207183"],
  ["40 28 16", "402816"],
  ["61852", "61852"],
  ["WDJB-MJHT", "WDJB-MJHT"],
  ["x4t9pm", "x4t9pm"],
  ["9 0 2 7 5 1", "902751"],
  ["317 044", "317044"],
] as const;

const footer = `<p style="color:#99a1af;font:12px/18px Arial">© 2026 · <a href="https://shop.example/help?id=4471902">Help</a> ·
<a href="https://shop.example/u/8841207">Unsubscribe</a> · 1200 Market St, Suite 410</p>`;
const page = (content: string): string =>
  `<html><head><style>.a{color:#112233}</style></head><body bgcolor="#fafafa">${content}${footer}</body></html>`;
const tail = (after: string): string => after.replace(/^[\s.,。，]+/u, "");

/** The forms in which a sentence with a code is sent. */
const forms: readonly ((before: string, code: string, after: string) => Pick<MailTexts, "text" | "html">)[] =
  [
    (before, code, after) => ({
      text: `${before}${code}${after}\n\n-- \nAcorn Ltd, 1200 Market St`,
      html: "",
    }),
    (before, code, after) => ({ text: `${before}\n\n    ${code}\n\n${tail(after)}\n`, html: "" }),
    (before, code, after) => ({ text: "", html: page(`<p>${before}<b>${code}</b>${after}</p>`) }),
    (before, code, after) => ({
      text: "",
      html: page(
        `<table><tr><td>${before}</td></tr><tr><td style="letter-spacing:4px">${code}</td></tr></table><p>${tail(after)}</p>`,
      ),
    }),
    (before, code, after) => ({
      text: "",
      html: page(`<div>${before}</div><div><img src="cid:1" alt="${code}"></div><div>${tail(after)}</div>`),
    }),
    (before, code, after) => ({ text: `\u200f${before}\u2066${code}\u2069${after}\u200e`, html: "" }),
    (before, code, after) => ({
      text: "",
      html: page(
        `<p>${before}</p><table><tr>${[...code].map((one) => `<td>${one === " " ? "" : one}</td>`).join("")}</tr></table>
<p>${tail(after)}</p>`,
      ),
    }),
  ];

/** A code whose characters stand in a cell each is digits alone. */
const formOf = (n: number, written: string) => {
  const form = forms[n % forms.length];
  return (form === forms[6] && !/^[\d ]+$/.test(written) ? forms[3] : form) ?? forms[0];
};

const withCode = (language: string, n: number, subject: string, sentence: string): CorpusMail => {
  const [written, code] = codes[n % codes.length] ?? codes[0];
  const [before = "", after = ""] = sentence.split("{}");
  const form = formOf(n, written) ?? forms[0];
  const texts = form?.(before, written, after) ?? { text: "", html: "" };
  return { language, kind: "code", code, link: null, subject: subject.replace("{}", written), ...texts };
};

const withoutCode = (language: string, n: number, subject: string, sentence: string): CorpusMail => {
  const texts = [
    { text: `${sentence}\n\nAcorn Ltd, 1200 Market St\n`, html: "" },
    { text: sentence.replaceAll(". ", ".\n"), html: "" },
    {
      text: "",
      html: page(
        `<h1 style="color:#482913">${subject}</h1><table><tr><td>${sentence.replaceAll(". ", "</td></tr><tr><td>")}</td></tr></table>`,
      ),
    },
  ][n % 3] ?? { text: sentence, html: "" };
  return { language, kind: "neither", code: null, link: null, subject, ...texts };
};

const link = "https://shop.example/go/4f2c?token=88120746&next=%2Fhome";

const withLink = (
  language: string,
  subject: string,
  sentence: string,
  button: string,
): readonly CorpusMail[] => {
  const given = { language, kind: "link", code: null, link, subject } as const;
  const html = page(
    `<p>${sentence}</p><a href="${link.replace("&", "&amp;")}" style="background:#14532d"><span>${button}</span></a>`,
  );
  return [
    { ...given, text: "", html },
    { ...given, text: `${sentence}\n\n${button}:\n${link}\n\nhttps://shop.example/help\n`, html: "" },
  ];
};

/** Returns the mails of a half of the corpus: each template with a code in two forms and two spellings. */
export const readCorpus = (half: Half): readonly CorpusMail[] => {
  const lines = readFileSync(new URL(`../../data/codes/${half}.txt`, import.meta.url), "utf8")
    .trim()
    .split("\n");
  return lines.flatMap((line, n) => {
    const [language = "", kind = ""] = line.split(" ");
    const [subject = "", sentence = "", button = ""] = line.slice(5).split(" | ");
    if (kind === "+") return [0, 5].map((by) => withCode(language, n + by, subject, sentence));
    return kind === "-"
      ? [withoutCode(language, n, subject, sentence)]
      : withLink(language, subject, sentence, button);
  });
};
