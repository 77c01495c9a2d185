import { isLeft } from "fp-ts/lib/Either.js";
import * as t from "io-ts";
import { addUp, countOf, maxStoredRows, reporterOf, type TlsReport, type TlsRow } from "./receiverReport.ts";
import { UnreadableReport } from "./reportProblem.ts";
import { shownText } from "./shownText.ts";

const maxPolicies = 200;
const maxDetails = 10_000;

const Detail = t.partial({
  "result-type": t.unknown,
  "receiving-mx-hostname": t.unknown,
  "failed-session-count": t.unknown,
});
const Policy = t.intersection([
  t.type({ policy: t.type({ "policy-type": t.unknown, "policy-domain": t.string }) }),
  t.partial({
    summary: t.partial({
      "total-successful-session-count": t.unknown,
      "total-failure-session-count": t.unknown,
    }),
    "failure-details": t.union([t.array(Detail), t.null]),
  }),
]);
const Report = t.intersection([
  t.type({
    "date-range": t.type({ "start-datetime": t.string, "end-datetime": t.string }),
    "report-id": t.string,
    policies: t.array(Policy),
  }),
  t.partial({ "organization-name": t.unknown, "contact-info": t.unknown }),
]);
type Policy = t.TypeOf<typeof Policy>;

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const word = (value: unknown, length: number): string =>
  shownText(textOf(value).slice(0, 256), length).toLowerCase();

const policyTypes = new Set(["sts", "tlsa", "no-policy-found"]);

const rowsOf = (policy: Policy): readonly TlsRow[] => {
  const type = word(policy.policy["policy-type"], 20);
  const policyType = policyTypes.has(type) ? type : "no-policy-found";
  const details = (policy["failure-details"] ?? []).map(
    (detail): TlsRow => ({
      policyType,
      result: word(detail["result-type"], 60) || "validation-failure",
      server: word(detail["receiving-mx-hostname"], 120),
      count: countOf(detail["failed-session-count"]),
    }),
  );
  const named = details.reduce((sum, { count }) => sum + count, 0);
  const { summary = {} } = policy;
  const others = countOf(summary["total-failure-session-count"]) - named;
  const base = { policyType, server: "" };
  return [
    { ...base, result: "success", count: countOf(summary["total-successful-session-count"]) },
    ...details,
    ...(others > 0 ? [{ ...base, result: "validation-failure", count: others }] : []),
  ].filter(({ count }) => count > 0);
};

const timeOf = (text: string): number => {
  const at = Date.parse(text.slice(0, 40));
  return Number.isFinite(at) && at > 0 ? at : 0;
};

const parse = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    throw new UnreadableReport("not-json");
  }
};

/** Reads a report of TLS (RFC 8460, 4). Throws an `UnreadableReport` for another JSON, or too many parts. */
export const readTlsReport = (json: string): TlsReport => {
  const decoded = Report.decode(parse(json));
  if (isLeft(decoded)) throw new UnreadableReport("incomplete");
  const { policies, ...report } = decoded.right;
  const details = policies.reduce((sum, policy) => sum + (policy["failure-details"]?.length ?? 0), 0);
  if (policies.length > maxPolicies || details > maxDetails) throw new UnreadableReport("too-many");
  const domain = (policies[0]?.policy["policy-domain"] ?? "").slice(0, 256).trim().toLowerCase();
  // A report is about one domain, whose policies changed in its time.
  const own = policies.filter(({ policy }) => policy["policy-domain"].trim().toLowerCase() === domain);
  const rows = addUp(own.flatMap(rowsOf), ({ policyType, result, server }) =>
    JSON.stringify([policyType, result, server]),
  );
  const endsAt = timeOf(report["date-range"]["end-datetime"]);
  const reporter = reporterOf(textOf(report["organization-name"]), textOf(report["contact-info"]));
  const reportId = shownText(report["report-id"], 200);
  if (domain === "" || reportId === "" || endsAt === 0) throw new UnreadableReport("incomplete");
  const beginsAt = timeOf(report["date-range"]["start-datetime"]);
  return { kind: "tls", reporter, reportId, domain, beginsAt, endsAt, rows: rows.slice(0, maxStoredRows) };
};
