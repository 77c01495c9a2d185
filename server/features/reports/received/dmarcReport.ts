import { isIP } from "node:net";
import { SaxesParser } from "saxes";
import {
  addUp,
  countOf,
  type DmarcReport,
  type DmarcRow,
  maxStoredRows,
  reporterOf,
} from "./receiverReport.ts";
import { UnreadableReport } from "./reportProblem.ts";
import { shownText } from "./shownText.ts";

const maxDepth = 16;
const maxRecords = 50_000;
/** Characters of a value; longer ones are cut off. */
const maxValue = 256;

const head = "feedback/report_metadata";
const evaluated = "feedback/record/row/policy_evaluated";

/** The values that are read, by their paths. */
const headPaths = new Set([
  `${head}/org_name`,
  `${head}/email`,
  `${head}/report_id`,
  `${head}/date_range/begin`,
  `${head}/date_range/end`,
  "feedback/policy_published/domain",
]);
const recordPaths = new Set([
  "feedback/record/row/source_ip",
  "feedback/record/row/count",
  `${evaluated}/disposition`,
  `${evaluated}/dkim`,
  `${evaluated}/spf`,
  `${evaluated}/reason/type`,
]);

type Values = Map<string, string>;

const verdictOf = (value: string | undefined): "pass" | "fail" =>
  value?.trim().toLowerCase() === "pass" ? "pass" : "fail";

const dispositionOf = (value: string | undefined): DmarcRow["disposition"] => {
  const word = value?.trim().toLowerCase();
  return word === "quarantine" || word === "reject" ? word : "none";
};

const rowOf = (values: Values): DmarcRow => {
  const address = (values.get("feedback/record/row/source_ip") ?? "").trim();
  return {
    sourceIp: isIP(address) === 0 ? "" : address.toLowerCase(),
    disposition: dispositionOf(values.get(`${evaluated}/disposition`)),
    dkim: verdictOf(values.get(`${evaluated}/dkim`)),
    spf: verdictOf(values.get(`${evaluated}/spf`)),
    reason: shownText(values.get(`${evaluated}/reason/type`) ?? "", 40),
    count: countOf(values.get("feedback/record/row/count")),
  };
};

const keyOf = ({ sourceIp, disposition, dkim, spf, reason }: DmarcRow): string =>
  JSON.stringify([sourceIp, disposition, dkim, spf, reason]);

/** The addresses of the smallest rows of a long report are left out. */
const shortened = (rows: readonly DmarcRow[]): readonly DmarcRow[] => {
  const all = addUp(rows, keyOf);
  if (all.length <= maxStoredRows) return all;
  const rest = all.slice(maxStoredRows).map((row) => ({ ...row, sourceIp: "", reason: "" }));
  return addUp([...all.slice(0, maxStoredRows), ...rest], keyOf);
};

/** From seconds since 1970; 0 for what is no time. */
const timeOf = (value: string | undefined): number => {
  const text = value?.trim() ?? "";
  return /^\d{1,11}$/.test(text) ? Number(text) * 1_000 : 0;
};

const reportOf = (values: Values, rows: readonly DmarcRow[]): DmarcReport => {
  const report: DmarcReport = {
    kind: "dmarc",
    reporter: reporterOf(values.get(`${head}/org_name`) ?? "", values.get(`${head}/email`) ?? ""),
    reportId: shownText(values.get(`${head}/report_id`) ?? "", 200),
    domain: (values.get("feedback/policy_published/domain") ?? "").trim().toLowerCase(),
    beginsAt: timeOf(values.get(`${head}/date_range/begin`)),
    endsAt: timeOf(values.get(`${head}/date_range/end`)),
    rows: shortened(rows),
  };
  const { domain, reportId, endsAt } = report;
  if (domain === "" || reportId === "" || endsAt === 0) throw new UnreadableReport("incomplete");
  return report;
};

/** Some receivers put the report behind the beginning of its schema, which they do not close. */
const schemaTag = /<\/?(?:[a-z]{1,10}:)?schema(?=[\s>])[^<>]{0,2000}>/gi;

/**
 * Reads an aggregate report of DMARC (RFC 9990; RFC 7489, appendix C). Throws an `UnreadableReport` for XML that has a
 * document type, is not well-formed, or exceeds the limits of depth and number.
 */
export const readDmarcReport = (xml: string): DmarcReport => {
  const values: Values = new Map();
  const rows: DmarcRow[] = [];
  let record: Values = new Map();
  const path: string[] = [];
  let text = "";
  const parser = new SaxesParser();
  parser.on("error", () => {
    throw new UnreadableReport("not-xml");
  });
  parser.on("doctype", () => {
    throw new UnreadableReport("has-dtd");
  });
  parser.on("opentag", ({ name }) => {
    path.push(name.slice(name.lastIndexOf(":") + 1).toLowerCase());
    if (path.length > maxDepth) throw new UnreadableReport("too-deep");
    text = "";
  });
  const addText = (more: string): void => {
    if (text.length < maxValue) text += more.slice(0, maxValue - text.length);
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    const place = path.join("/");
    path.pop();
    if (headPaths.has(place) && !values.has(place)) values.set(place, text);
    if (recordPaths.has(place) && !record.has(place)) record.set(place, text);
    text = "";
    if (place !== "feedback/record") return;
    rows.push(rowOf(record));
    record = new Map();
    if (rows.length > maxRecords) throw new UnreadableReport("too-many");
  });
  parser.write(xml.replace(schemaTag, "")).close();
  return reportOf(values, rows);
};
