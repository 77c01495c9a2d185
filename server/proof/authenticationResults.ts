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
