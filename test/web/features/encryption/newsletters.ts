/** Chooses by a fixed seed (mulberry32), so that every run has the same mails. */
interface Dice {
  readonly below: (end: number) => number;
  readonly oneOf: <A>(choices: readonly A[]) => A;
}

const createDice = (seed: number): Dice => {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    below,
    oneOf: <A>(choices: readonly A[]): A => {
      const chosen = choices[below(choices.length)];
      if (chosen === undefined) throw new Error("there is nothing to choose from");
      return chosen;
    },
  };
};

/** A mail of the corpus. */
export interface Newsletter {
  readonly name: string;
  /** The mail as it arrives (RFC 5322). */
  readonly mail: Uint8Array<ArrayBuffer>;
  /** Its HTML, decoded. */
  readonly html: string;
}

/** Writes a sentence that occurs once in the corpus. */
type Say = () => string;
type Shape = (say: Say, dice: Dice) => string;

const sheets: readonly string[] = [
  `<style>p{color:#123}</style>`,
  `<STYLE TYPE="text/css">\n<!--\nbody { margin: 0 }\n-->\n</STYLE>`,
  `<style type="text/css" media="screen">@media only screen and (max-width:600px){.w{width:100%!important}}</style >`,
  `<style>@import url('https://fonts.example/css?family=Lato');@font-face{font-family:L;src:url(https://fonts.example/l.woff)}</style>`,
  `<style>/* <p>not text</p> */ td > p { margin: 0 } .a::after { content: "</p>" }</style\n>`,
  `<!--[if mso]><style>table{border-collapse:collapse}</style><![endif]-->`,
  `<style></style><style>:root{color-scheme:light dark}@media (prefers-color-scheme:dark){.d{color:#fff!important}}</style>`,
  `<style data-embed>#outlook a{padding:0}.ExternalClass{width:100%}</STYLE>`,
  `<link rel="stylesheet" href="https://cdn.example/mail.css"><style>u + .body{min-width:100vw}</style>`,
];

const gap = `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">&#847;&zwnj;&nbsp;&#8199;&shy;</div>`;

const row = (inside: string): string =>
  `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td style="padding:8px 16px;font-family:Arial,sans-serif">${inside}</td></tr></table>`;

/** Parts of newsletters, as newsletter programs, mail programs and people write them. */
const shapes: readonly Shape[] = [
  (say) => `<p>${say()}</p>`,
  (say) => row(`<h1 style="margin:0">${say()}</h1>`),
  (say) => row(row(row(row(row(say()))))),
  (say) => `<P ALIGN=CENTER><FONT FACE="Arial" SIZE=2 COLOR=#333333>${say()}</FONT><BR>${say()}`,
  (say) => `<center>${say()}<br/><small>${say()}</small></center>`,
  (say, dice) => `<p>${say()}</p>${dice.oneOf(sheets)}<p>${say()}</p>`,
  (say, dice) => `<table><tr><td>${say()}</td></tr>${dice.oneOf(sheets)}<tr><td>${say()}</td></tr></table>`,
  (say, dice) =>
    `<table>${dice.oneOf(sheets)}<tbody><tr>${dice.oneOf(sheets)}<td>${dice.oneOf(sheets)}${say()}</table>`,
  (say) =>
    `<!--[if (gte mso 9)|(IE)]><table width="600"><tr><td><![endif]--><div style="max-width:600px">${say()}</div><!--[if (gte mso 9)|(IE)]></td></tr></table><![endif]-->`,
  (say) => `<![if !mso]><p>${say()}</p><![endif]>`,
  (say) => `<!--[if !mso]><!--><p>${say()}</p><!--<![endif]-->`,
  (say) =>
    `<!--[if mso]><v:roundrect xmlns:v="urn:schemas-microsoft-com:vml" href="https://shop.example/a" style="height:40px;v-text-anchor:middle"><w:anchorlock/><center>Buy</center></v:roundrect><![endif]--><a href="https://shop.example/a" style="background:#07c;color:#fff">${say()}</a>`,
  (say) =>
    `<v:rect xmlns:v="urn:schemas-microsoft-com:vml" fill="true"><v:fill type="tile" src="https://shop.example/v.png"/><v:textbox inset="0,0,0,0"><div>${say()}</div></v:textbox></v:rect>`,
  (say) =>
    `<p class="MsoNormal"><span lang="EN-US" style="font-size:11.0pt;mso-fareast-language:EN-US">${say()}<o:p></o:p></span></p><p class=MsoNormal><o:p>&nbsp;</o:p></p>`,
  (say) =>
    `<div class="gmail_quote"><div dir="ltr" class="gmail_attr">${say()}<br></div><blockquote class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px #ccc solid;padding-left:1ex">${say()}<style>.x{}</style><blockquote>${say()}</blockquote></blockquote></div>`,
  (say) => `<noscript><img src="https://t.example/o.gif" width="1" height="1">${say()}</noscript>`,
  (say) =>
    `<div dir="rtl" lang="he" style="text-align:right">שלום ${say()} <bdo dir=ltr>${say()}</bdo></div>`,
  (say) => `<table dir="rtl"><tr><td align="right">مرحبا ${say()}</td></tr></table>`,
  (say) => `<ul style="list-style:none"><li>${say()}<li>${say()}<ol type=a start=3><li>${say()}</ol></ul>`,
  (say) => `<dl><dt>${say()}<dd>${say()}</dl><hr noshade size=1>`,
  (say) => `<b><p>${say()}</b>${say()}</p><i>${say()}<b>${say()}</i>${say()}</b>`,
  (say) => `<a href="https://shop.example/1"><table><tr><td>${say()}</a></td></tr></table></a><div>${say()}`,
  (say) => `<table><tr><td>${say()}<table><td>${say()}</table></td>${say()}</tr>${say()}</table>`,
  (say) => `<p>${say()}<div>${say()}</p></div></span></td>${say()}`,
  (say) =>
    `<p>3 &lt; 4 &amp; 5 &gt; 2 &copy 2026 &#8211; &#x2014; &euro;9&period;99 &NotEqualTilde; &unknown; AT&T ${say()}</p>`,
  (say) => `<p>&lt;style&gt;${say()}&lt;/style&gt; style=${say()} one on=two</p>`,
  (say) => `<pre>  ${say()}\n\tonline style  ${say()}</pre><tt>${say()}</tt><code>&lt;p onclick=x&gt;</code>`,
  (say) => `<img src="cid:logo@shop.example" alt="Logo" width=120><span>${say()}</span>`,
  (say) =>
    `<a href="https://shop.example/p"><img src="https://img.example/p.jpg" alt="A picture" style="display:block"></a>${say()}`,
  (say) =>
    `<picture><source media="(prefers-color-scheme:dark)" srcset="https://img.example/d.webp"><img src="https://img.example/l.png" alt=""></picture><p>${say()}</p>`,
  (say) =>
    `<map name="m"><area shape="rect" coords="0,0,9,9" href="https://shop.example/area" alt="Area"></map><img usemap="#m" src="https://img.example/m.png"><p>${say()}</p>`,
  (say) =>
    `<svg width="20" height="20" xmlns="http://www.w3.org/2000/svg"><title>Icon</title><style>.a{fill:red}</style><path class="a" d="M0 0h9v9z"/><text y="9">${say()}</text></svg><p>${say()}</p>`,
  (say) => `<p>${say()} <math><mi>x</mi><mo>=</mo><mn>2</mn><mtext>${say()}</mtext></math> ${say()}</p>`,
  (say) => `<template><p>never shown</p></template><p>${say()}</p>`,
  (say) =>
    `<form action="https://shop.example/poll"><fieldset><legend>${say()}</legend><label>${say()} <input name="a"></label><button>${say()}</button><select><option>${say()}</option><option>${say()}</option></select></fieldset></form>`,
  (say) => `<button style="background:#000;color:#fff">${say()}</button><input type="submit" value="Send">`,
  (say) => `<details open><summary>${say()}</summary><p>${say()}</p></details>`,
  (say) =>
    `<input type="checkbox" id="c" style="display:none!important"><label for="c">${say()}</label><div class="c">${say()}</div>`,
  (say) =>
    `<amp-img src="https://img.example/a.png" width="9" height="9"></amp-img><amp-accordion><section><h4>${say()}</h4><p>${say()}</p></section></amp-accordion>`,
  (say) => `<object data="https://shop.example/f.swf"><p>${say()}</p></object>`,
  (say) =>
    `<video poster="https://img.example/v.jpg" controls><source src="https://img.example/v.mp4"></video><p>${say()}</p>`,
  (say) => `<iframe src="https://shop.example/"></iframe><embed src="https://shop.example/e"><p>${say()}</p>`,
  (say) =>
    `<script>document.write("no")</script><script type="application/ld+json">{"@context":"http://schema.org"}</script><p>${say()}</p>`,
  (say) =>
    `<div itemscope itemtype="http://schema.org/EmailMessage"><meta itemprop="description" content="x"><link itemprop="url" href="https://shop.example/"><span itemprop="name">${say()}</span></div>`,
  (say) =>
    `<article><header><h2>${say()}</h2></header><section><figure><figcaption>${say()}</figcaption></figure></section><footer>${say()}</footer></article>`,
  (say) =>
    `<nav><a href=https://shop.example/a>${say()}</a> | <a href='https://shop.example/b'>${say()}</a></nav>`,
  (say) =>
    `<p>${say()}<sup>1</sup><sub>2</sub> <del>${say()}</del> <ins>${say()}</ins> <abbr title="x">${say()}</abbr> <q>${say()}</q> <kbd>K</kbd></p>`,
  (say) => `<ruby>漢<rp>(</rp><rt>${say()}</rt><rp>)</rp></ruby><wbr>${say()}`,
  (say) => `<xmp>${say()} <p>as it is</p></xmp><listing>${say()}</listing>`,
  (say) => `<marquee behavior="scroll">${say()}</marquee><blink>${say()}</blink><nobr>${say()}</nobr>`,
  (say) =>
    `<table><caption>${say()}</caption><colgroup><col width=10><thead><tr><th>${say()}</thead><tfoot><tr><td>${say()}</tfoot><tbody><tr><td>${say()}</table>`,
  (say) =>
    `<div style='font-family:"Segoe UI",Helvetica;background:url("https://img.example/b.png")'>${say()}</div>`,
  (say) =>
    `<div style="font-family:'Lato', Arial; width:calc(100% - 10px); color:rgb(10,20,30)" onclick="x()" class="style on1">${say()}</div>`,
  (say) =>
    `<table background="https://img.example/t.png" bgcolor=ffffff height=100%><tr valign=top><td nowrap width=50%>${say()}<td>${say()}</table>`,
  (say) => `${gap}<p>${say()}</p>`,
  (say) => `<span style="font-size:0">\u200c</span><p>${say()} 🎉 ${say()} 日本語 русский</p>`,
  (say) => `<font size="+2"><b><u>${say()}</u></b></font><br clear=all><center><b>${say()}</center></b>`,
  (say) => `<p title="a > b" data-x='<p>'>${say()}</p><p title="</style>">${say()}</p>`,
  (say) =>
    `<a name="top"></a><a href="#top">${say()}</a> <a href="mailto:help@shop.example?subject=Hi">${say()}</a> <a href="tel:+49301234">${say()}</a>`,
  (say) =>
    `<p>${say()}<!-- a comment > with -- dashes --><!-->${say()}<!---->${say()}<?xml version="1.0"?>${say()}</p>`,
  (say) => `<x-block><y:z>${say()}</y:z></x-block><custom>${say()}</custom>`,
  (say) => `<p>${"<span>".repeat(250)}${say()}${"</span>".repeat(250)}</p><p>${say()}</p>`,
  (say) => `${"<div>".repeat(20)}${row(say())}${"</div>".repeat(18)}<p>${say()}`,
  (say) => `<dialog open>${say()}</dialog><output>${say()}</output><menu><li>${say()}</menu>`,
  (say) => `<base href="https://shop.example/en/"><a href="sale">${say()}</a>`,
  (say) => `<title>in the body</title><p>${say()}</p><basefont size=2><p>${say()}</p>`,
];

/** Whole documents around the parts. */
const documents: readonly ((body: string, head: string) => string)[] = [
  (body, head) => `<html><head>${head}</head><body>${body}</body></html>`,
  (body, head) =>
    `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>News</title>\n${head}\n</head>\n<body style="margin:0;background:#f4f4f4">\n${body}\n</body>\n</html>\n`,
  (body, head) =>
    `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd"><html xmlns="http://www.w3.org/1999/xhtml" xmlns:v="urn:schemas-microsoft-com:vml"><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8" />${head}<!--[if gte mso 9]><xml><o:OfficeDocumentSettings><o:AllowPNG/></o:OfficeDocumentSettings></xml><![endif]--></head><body bgcolor="#FFFFFF" leftmargin="0">${body}</body></html>`,
  (body, head) =>
    `<HTML><HEAD><TITLE>Big sale</TITLE>${head}</HEAD><BODY BGCOLOR=#FFFFFF TEXT=#000000 BACKGROUND="https://img.example/bg.gif">${body}</BODY></HTML>`,
  (body) => body,
  (body, head) => `${head}${body}`,
  (body, head) => `<body>${head}${body}`,
  (body, head) => `<html>${head}<div>${body}</div>`,
  (body, head) => `\ufeff<!doctype html><html><head>${head}</head><body>${body}</body></html>`,
  (body, head) => `<html><body>${body}</body></html>${head}<p>`,
  (body, head) => `<head>${head}<body>${body}</body></head></html>`,
  (body, head) =>
    `<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html><html><head>${head}<base target="_blank"><script>var a = "</p>";</script></head><body>${body}</body></html>`,
  (body, head) =>
    `<html><head>${head}</head><body><table width="100%"><tr><td align="center"><table width="600"><tr><td>${body}</td></tr></table></td></tr></table><img src="https://t.example/open?u=1" width="1" height="1"></body></html>`,
];

const sentences: readonly string[] = [
  "Summer sale",
  "Your order has left our house",
  "Grüße aus Köln",
  "Offres spéciales été",
  "Don't miss it",
  "Last 3 days",
  "Terms & conditions",
  "Unsubscribe here",
];

const latin = new TextDecoder("windows-1252");
const latinBytes = new Map(
  Array.from({ length: 256 }, (_, byte) => [latin.decode(Uint8Array.of(byte)), byte] as const),
);

/** Writes what the character set does not have as references, as mail programs do. */
const toLatin = (html: string): Uint8Array =>
  Uint8Array.from(
    Array.from(html.replace(/^\ufeff/, "")).flatMap((letter) => {
      const byte = latinBytes.get(letter);
      return byte === undefined ? [...Buffer.from(`&#${letter.codePointAt(0)};`)] : [byte];
    }),
  );

const charsets: readonly (readonly [name: string, encode: (html: string) => Uint8Array])[] = [
  ["utf-8", (html) => Buffer.from(html)],
  ["UTF-8", (html) => Buffer.from(html)],
  ["iso-8859-1", toLatin],
  ["windows-1252", toLatin],
];

const hex = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, "0");

/** Quoted-printable with a soft break wherever a line is full, in the middle of tags and characters too. */
const quotedPrintable = (bytes: Uint8Array): string => {
  const lines: string[] = [];
  let line = "";
  for (const byte of bytes) {
    if (byte === 10) {
      lines.push(line);
      line = "";
      continue;
    }
    const written = byte >= 32 && byte < 127 && byte !== 61 ? String.fromCharCode(byte) : `=${hex(byte)}`;
    if (line.length + written.length > 72) {
      lines.push(`${line}=`);
      line = "";
    }
    line += written;
  }
  lines.push(line);
  return lines.map((full) => full.replace(/ $/, "=20")).join("\r\n");
};

const encodings: readonly (readonly [name: string, encode: (bytes: Uint8Array) => string])[] = [
  ["quoted-printable", quotedPrintable],
  [
    "base64",
    (bytes) =>
      (
        Buffer.from(bytes)
          .toString("base64")
          .match(/.{1,76}/g) ?? []
      ).join("\r\n"),
  ],
  ["8bit", (bytes) => Buffer.from(bytes).toString("latin1").replace(/\n/g, "\r\n")],
];

const part = (type: string, encoding: string, content: string): string =>
  `Content-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${content}\r\n`;

const pixel = "R0lGODlhAQABAIAAAP8AAP8AACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==";

const multipart = (type: string, boundary: string, parts: readonly string[]): string =>
  `Content-Type: multipart/${type}; boundary="${boundary}"\r\n\r\n${parts.map((one) => `--${boundary}\r\n${one}`).join("")}--${boundary}--\r\n`;

const plain = part("text/plain; charset=us-ascii", "7bit", "The same as text.");
const amp = part(
  "text/x-amp-html; charset=utf-8",
  "7bit",
  `<!doctype html><html amp4email><body>amp</body></html>`,
);

/** How the HTML lies in the mail. */
const layouts: readonly ((html: string) => string)[] = [
  (html) => html,
  (html) => multipart("alternative", "a1", [plain, html]),
  (html) => multipart("alternative", "a2", [plain, amp, html]),
  (html) =>
    multipart("related", "r1", [
      multipart("alternative", "a3", [plain, html]),
      `Content-ID: <logo@shop.example>\r\n${part("image/gif", "base64", pixel)}`,
    ]),
];

const createNewsletter = (seed: number): Newsletter => {
  const dice = createDice(seed);
  let said = 0;
  const say: Say = () => `${dice.oneOf(sentences)} w${seed}x${said++}`;
  const chosen = [
    shapes[seed % shapes.length] ?? dice.oneOf(shapes),
    ...Array.from({ length: dice.below(6) }, () => dice.oneOf(shapes)),
  ];
  const parts = chosen.map((shape) => shape(say, dice));
  const head = Array.from({ length: dice.below(3) }, () => dice.oneOf(sheets)).join("\n");
  const html = dice.oneOf(documents)(parts.join(dice.oneOf(["", "\n", "<br>"])), head);
  const [charset, inCharset] = dice.oneOf(charsets);
  const [encoding, encode] = dice.oneOf(encodings);
  const content = part(`text/html; charset=${charset}`, encoding, encode(inCharset(html)));
  const mail = `From: Shop <news@shop.example>\r\nTo: mask@masks.example\r\nSubject: News ${seed}\r\nMIME-Version: 1.0\r\n${dice.oneOf(layouts)(content)}`;
  return { name: `newsletter ${seed}`, mail: Uint8Array.from(Buffer.from(mail, "latin1")), html };
};

/** 300 mails in the shapes of real newsletters, each of them different, the same in every run. */
export const newsletters = (): readonly Newsletter[] =>
  Array.from({ length: 300 }, (_, at) => createNewsletter(at));
