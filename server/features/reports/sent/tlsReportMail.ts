import { gzipSync } from "node:zlib";
import MailComposer from "nodemailer/lib/mail-composer";
import type { Random } from "../../../../core/ports/random.ts";
import { postmasterAddress, reportAddresses } from "../../../delivery/serviceAddresses.ts";
import { newId } from "../../../platform/store/id.ts";

/** Connections to a domain on one day with the same result. */
export interface TlsReportCount {
  readonly policy: string;
  readonly result: string;
  readonly server: string;
  readonly count: number;
}

export interface TlsReportContent {
  readonly maskDomain: string;
  readonly domain: string;
  /** In UTC: "2026-11-20". */
  readonly day: string;
  readonly counts: readonly TlsReportCount[];
  /** The lines of the domain's MTA-STS policy; empty while unknown. */
  readonly policyLines: readonly string[];
}

const policyTypes: Readonly<Record<string, string>> = { sts: "sts", dane: "tlsa" };

const sum = (counts: readonly TlsReportCount[]): number => counts.reduce((all, { count }) => all + count, 0);

const policyOf = (
  policy: string,
  { domain, counts, policyLines }: TlsReportContent,
): Readonly<Record<string, unknown>> => {
  const own = counts.filter((count) => count.policy === policy);
  const failed = own.filter(({ result }) => result !== "success");
  return {
    policy: {
      "policy-type": policyTypes[policy] ?? "no-policy-found",
      ...(policy === "sts" && policyLines.length > 0 ? { "policy-string": policyLines } : {}),
      "policy-domain": domain,
    },
    summary: {
      "total-successful-session-count": sum(own) - sum(failed),
      "total-failure-session-count": sum(failed),
    },
    "failure-details": failed.map(({ result, server, count }) => ({
      "result-type": result,
      ...(server === "" ? {} : { "receiving-mx-hostname": server }),
      "failed-session-count": count,
    })),
  };
};

/** Returns a report in the form of RFC 8460, 4.4. */
export const toTlsReport = (content: TlsReportContent, reportId: string) => ({
  "organization-name": content.maskDomain,
  "date-range": {
    "start-datetime": `${content.day}T00:00:00Z`,
    "end-datetime": `${content.day}T23:59:59Z`,
  },
  "contact-info": postmasterAddress(content.maskDomain),
  "report-id": reportId,
  policies: [...new Set(content.counts.map(({ policy }) => policy))].map((policy) =>
    policyOf(policy, content),
  ),
});

/** Composes the mail that brings a report to one address (RFC 8460, 5.3). */
export const composeTlsReport = (
  content: TlsReportContent,
  to: string,
  at: { readonly now: number; readonly random: Random },
): Promise<Uint8Array> => {
  const { maskDomain, domain, day } = content;
  const id = newId(at.random);
  const begin = Date.parse(`${day}T00:00:00Z`) / 1_000;
  const mail = new MailComposer({
    from: { name: "", address: reportAddresses(maskDomain).tls },
    to: { name: "", address: to },
    subject: `Report Domain: ${domain} Submitter: ${maskDomain} Report-ID: <${id}@${maskDomain}>`,
    text: `This is a report of TLS connections from ${maskDomain} to the mail servers of ${domain} on ${day} (RFC 8460).\n`,
    attachments: [
      {
        filename: `${maskDomain}!${domain}!${begin}!${begin + 86_399}!${id}.json.gz`,
        content: gzipSync(JSON.stringify(toTlsReport(content, id))),
        contentType: "application/tlsrpt+gzip",
      },
    ],
    date: new Date(at.now),
    messageId: `<${id}@${maskDomain}>`,
    headers: {
      "TLS-Report-Domain": domain,
      "TLS-Report-Submitter": maskDomain,
      "Auto-Submitted": "auto-generated",
    },
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: "windows",
  }).compile();
  mail.setHeader("Content-Type", "multipart/report; report-type=tlsrpt");
  return mail.build();
};
