import type { HeaderBlock } from "../mime/headerBlock.ts";
import { decodeHeaderText } from "../mime/headerText.ts";
import type { Results } from "./checkResults.ts";

/** More signatures are suspicious and not reported. */
const maxReported = 8;

/** Quoted when it is no token (RFC 8601, 2.2), without control characters. */
const propertyValue = (value: string): string => {
  const clean = value.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 255);
  return /^[A-Za-z0-9._@-]+$/.test(clean) ? clean : `"${clean.replaceAll(/["\\]/g, "\\$&")}"`;
};

const property = (name: string, value: unknown): string =>
  typeof value === "string" && value !== "" ? ` ${name}=${propertyValue(value)}` : "";

type DkimResult = Results["dkim"]["results"][number];

const dkimResult = ({ status, signingDomain, selector, algo, signature }: DkimResult): string =>
  [
    `dkim=${status.result}`,
    property("header.d", signingDomain),
    property("header.s", selector),
    property("header.a", algo),
    property("header.b", typeof signature === "string" ? signature.slice(0, 8) : ""),
  ].join("");

/**
 * Returns the results of all checks for Authentication-Results (RFC 8601, 2.7), one per line, without the
 * server's name. SPF is omitted where the sender's address is unknown.
 */
export const formatResults = (
  { dkim, spf, dmarc, arc }: Results,
  sender: { readonly address: string; readonly isPublic: boolean },
): string =>
  [
    ...dkim.results.slice(0, maxReported).map(dkimResult),
    ...(sender.isPublic && spf
      ? [
          sender.address === ""
            ? `spf=${spf.status.result}${property("smtp.helo", spf.helo)}`
            : `spf=${spf.status.result}${property("smtp.mailfrom", sender.address.split("@").at(-1))}`,
        ]
      : []),
    ...(arc ? [`arc=${arc.status.result}`] : []),
    ...(dmarc
      ? [
          `dmarc=${dmarc.status.result}${dmarc.policy === undefined ? "" : ` (p=${dmarc.policy})`}${property("header.from", dmarc.status.header?.from)}`,
        ]
      : []),
  ].join(";\r\n ");

const resultsField = "authentication-results";

/** Returns the Authentication-Results field of this server. */
export const resultsLine = (host: string, results: string): string =>
  results === "" ? "" : `Authentication-Results: ${host};\r\n ${results}\r\n`;

/** Comments (RFC 5322, 3.2.2) may be nested. */
const withoutComments = (text: string): string => {
  let depth = 0;
  let plain = "";
  for (const character of text) {
    if (character === "(") depth += 1;
    else if (character === ")" && depth > 0) depth -= 1;
    else if (depth === 0) plain += character;
  }
  return plain;
};

const maxIdBytes = 1_024;
/** True if a field claims to be from a server with this name (RFC 8601, 5). */
export const isResultsOf = (content: Buffer, field: HeaderBlock["fields"][number], host: string): boolean => {
  if (field.name !== resultsField) return false;
  const value = content.subarray(field.valueStart, Math.min(field.end, field.valueStart + maxIdBytes));
  const id = withoutComments(decodeHeaderText(value)).split(";", 1)[0] ?? "";
  const [name = ""] = id
    .trim()
    .replace(/^"(.*)"/, "$1")
    .split(/[\s/]/, 1);
  return name.toLowerCase().replace(/\.$/, "") === host.toLowerCase();
};

const maxResultsBytes = 16_384;

/** The SPF result that a provider has found for the domain of an envelope sender. */
export interface ReportedSpf {
  readonly result: "pass" | "fail" | "softfail" | "neutral" | "none" | "permerror";
  /** In lower case. */
  readonly domain: string;
}

const reportedResult = /^\s*spf\s*=\s*(pass|fail|softfail|neutral|none|permerror)(?![\w-])/i;
const reportedSender = /\ssmtp\.mailfrom\s*=\s*(\S{1,512})/i;
/** Other senders may break out of what a provider writes about them. */
const plainSender = /^[^\s"()\\;<>@]+@([^\s"()\\;<>@]+)$/;

/**
 * Returns what the topmost Authentication-Results field of a host says of SPF for an envelope sender (RFC 8601, 5); whatever else
 * claims to be from that host is ignored. Null where it says nothing that is final, says it in more than one way or of another
 * domain, or has quotation marks.
 */
export const reportedSpf = (
  content: Buffer,
  header: HeaderBlock,
  { host, sender }: { readonly host: string; readonly sender: string },
): ReportedSpf | null => {
  const domain = plainSender.exec(sender)?.[1]?.toLowerCase();
  const field = header.fields.find((one) => isResultsOf(content, one, host));
  if (domain === undefined || !field || field.end - field.valueStart > maxResultsBytes) return null;
  const text = decodeHeaderText(content.subarray(field.valueStart, field.end));
  if (/["\\]/.test(text)) return null;
  const [, ...results] = withoutComments(text).split(";");
  const [only = "", ...more] = results.filter((one) => /^\s*spf\s*=/i.test(one) && reportedSender.test(one));
  const result = reportedResult.exec(only)?.[1]?.toLowerCase();
  const reported = reportedSender.exec(only)?.[1]?.split("@").at(-1)?.toLowerCase();
  if (result === undefined || more.length > 0 || reported !== domain) return null;
  return { result: result as ReportedSpf["result"], domain };
};
