import { decodeWords } from "postal-mime";

/** The characters of the bytes from 128 on of code pages of DOS, which mail still has and no browser decodes. */
const codePages: Readonly<Record<string, string>> = {
  "437":
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0",
  "850":
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0",
  "852":
    "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0",
  "858":
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈ€ÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0",
};

/** "cp850", "IBM850", "csPC850Multilingual", "cspcp852", "IBM00858". */
const codePageLabel =
  /^(?:cs)?(?:ibm|cp|dos|pc|pcp|pc8codepage|ccsid)?[-_]?0*(437|850|852|858)(?:multilingual)?$/;

/** Returns the function that decodes a character set; null for an unknown one. */
export const findDecoder = (label: string): ((bytes: Uint8Array) => string) | null => {
  const upper = codePages[codePageLabel.exec(label.trim().toLowerCase())?.[1] ?? ""];
  if (upper !== undefined)
    return (bytes) =>
      Buffer.from(bytes)
        .toString("latin1")
        .replace(/[\x80-\xff]/g, (byte) => upper.charAt(byte.charCodeAt(0) - 128));
  try {
    const decoder = new TextDecoder(label);
    return (bytes) => decoder.decode(bytes);
  } catch {
    return null;
  }
};

const western = new TextDecoder("windows-1252");
const westernBytes: ReadonlyMap<string, number> = new Map(
  Array.from({ length: 256 }, (_, byte) => [western.decode(Uint8Array.of(byte)), byte]),
);

/** Decodes bytes of an unknown character set by a guess; `encodeWestern` returns the same bytes. */
export const decodeWestern = (bytes: Uint8Array): string => western.decode(bytes);

/** Returns text as bytes of windows-1252; null when it has other characters. */
export const encodeWestern = (text: string): Buffer | null => {
  const bytes = Buffer.alloc(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const byte = westernBytes.get(text.charAt(at));
    if (byte === undefined) return null;
    bytes[at] = byte;
  }
  return bytes;
};

/** Character sets that agree with ASCII and that no browser decodes: their bytes are kept under their names. */
const keptLabel =
  /^(?:(?:ibm|cp|dos)[-_]?0*(?:720|737|775|855|857|86[0-59]|1125|1131)|x-mac-[a-z]{1,20}|koi8-[a-z]{1,3}|viscii|tcvn[\w:-]{0,10}|iso-8859-\d{1,2}[a-z]?|unknown-8bit|x-unknown)$/;

/** Returns the name under which bytes of a character set are kept that is not decoded: its own, or a guess. */
export const nameOfKept = (label: string): string => {
  const name = label.trim().toLowerCase();
  return keptLabel.test(name) ? name : "windows-1252";
};

const encodedWord = /=\?([\w.-]{1,40})(?:\*[\w-]{0,20})?\?([bq])\?([^?\s]{0,1000})\?=/gi;

const wordBytes = (encoding: string, text: string): Buffer =>
  encoding.toLowerCase() === "b"
    ? Buffer.from(text, "base64")
    : Buffer.from(
        text
          .replaceAll("_", " ")
          .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
        "latin1",
      );

/** Decodes encoded words (RFC 2047), those in code pages of DOS included. */
export const decodeEncodedWords = (text: string): string =>
  decodeWords(
    text.replace(encodedWord, (word: string, label: string, encoding: string, content: string) => {
      if (!codePageLabel.test(label.toLowerCase())) return word;
      const decoded = findDecoder(label)?.(wordBytes(encoding, content)) ?? "";
      return `=?utf-8?B?${Buffer.from(decoded).toString("base64")}?=`;
    }),
  );
