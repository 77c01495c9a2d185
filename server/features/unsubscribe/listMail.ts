import { type Random, randomHex } from "../../../core/ports/random.ts";
import { encodeUnstructured, formatMailDate } from "../../mime/headerText.ts";
import { encodeQuotedPrintable } from "../../mime/quotedPrintable.ts";
import type { WrittenReply } from "../replies/rewrite/writeReply.ts";
import type { ListTarget } from "./unsubscribeLinks.ts";

const idBytes = 16;

interface Letter {
  readonly maskEmail: string;
  readonly maskDomain: string;
  readonly now: number;
}

type ListMail = Extract<ListTarget["way"], { kind: "mail" }>;

/** Returns the subject of the mail that leaves a list. */
export const subjectOf = ({ subject }: ListMail): string => (subject === "" ? "unsubscribe" : subject);

/** Writes the mail by which a list wants to be left, from the mask. It contains nothing else. */
export const writeListMail = (
  way: ListMail,
  { maskEmail, maskDomain, now }: Letter,
  random: Random,
): WrittenReply => {
  const head = [
    `From: <${maskEmail}>`,
    `To: <${way.to}>`,
    `Subject: ${encodeUnstructured(subjectOf(way))}`,
    `Date: ${formatMailDate(now)}`,
    `Message-ID: <${randomHex(random, idBytes)}@${maskDomain}>`,
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: quoted-printable",
    "",
    "",
  ].join("\r\n");
  const text = Buffer.from(`${way.body.replaceAll("\n", "\r\n")}\r\n`, "utf8").toString("latin1");
  return {
    head: Buffer.from(head),
    pieces: [encodeQuotedPrintable(text)],
    isSealed: false,
    isShortened: false,
  };
};
