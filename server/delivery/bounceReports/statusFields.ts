/** The status fields of a report (RFC 3464). */
export interface ReportedStatus {
  /** A failure of one recipient is one, whatever the others got. */
  readonly outcome: "failed" | "not-failed";
  /** Of the recipient that it failed for; empty when the report does not contain it. */
  readonly answer: string;
  readonly recipients: readonly string[];
}

const maxGroups = 200;
const maxLineLength = 4_096;

type Fields = ReadonlyMap<string, string>;

/** Of a repeated field the first one counts. */
const fieldsOf = (paragraph: string): Fields => {
  const fields = new Map<string, string>();
  for (const line of paragraph.split("\n")) {
    const [, name = "", value = ""] = /^([a-z-]{1,60})[ \t]*:(.*)/i.exec(line.slice(0, maxLineLength)) ?? [];
    if (name !== "" && !fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), value.trim());
  }
  return fields;
};

/** Returns the fields of each paragraph, unfolded. */
const readGroups = (text: string): readonly Fields[] =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/\n[ \t]+(?=\S)/g, " ")
    .split(/\n\s*\n/, maxGroups)
    .map(fieldsOf);

/** Words for what is no failure; servers have many for a failure ("failed", "expired"). */
const withoutFailure = /^(?:delayed|deferred|delivered|relayed|expanded)\b/;

/** null for a paragraph that is not about a recipient, or does not say what became of the mail. */
const outcomeOf = (fields: Fields): ReportedStatus["outcome"] | null => {
  const action = (fields.get("action") ?? "").toLowerCase();
  if (action !== "") return withoutFailure.test(action) ? "not-failed" : "failed";
  if (!fields.has("final-recipient") && !fields.has("original-recipient")) return null;
  const [status = ""] = /^[245](?=\.)/.exec(fields.get("status") ?? "") ?? [];
  if (status !== "") return status === "5" ? "failed" : "not-failed";
  return /(?:^|[;\s])5\d\d\b/.test(fields.get("diagnostic-code") ?? "") ? "failed" : null;
};

const withoutType = (value: string): string => value.replace(/^[a-z0-9-]{1,40}[ \t]*;/i, "").trim();

const answerOf = (fields: Fields): string =>
  withoutType(fields.get("diagnostic-code") ?? "") || (fields.get("status") ?? "");

const addressesOf = (fields: Fields): readonly string[] =>
  ["final-recipient", "original-recipient"].flatMap((name) => {
    const [, address] = /^<?([^\s<>]+@[^\s<>]+)/.exec(withoutType(fields.get(name) ?? "")) ?? [];
    return address === undefined ? [] : [address.toLowerCase()];
  });

/** Reads the status fields in a text; null when it has none that say what became of a mail. */
export const readStatusFields = (text: string): ReportedStatus | null => {
  const groups = readGroups(text).map((fields) => ({ fields, outcome: outcomeOf(fields) }));
  const decided = groups.filter(({ outcome }) => outcome !== null);
  if (decided.length === 0) return null;
  const failed = decided.filter(({ outcome }) => outcome === "failed");
  return {
    outcome: failed.length > 0 ? "failed" : "not-failed",
    answer: failed[0] ? answerOf(failed[0].fields) : "",
    recipients: groups.flatMap(({ fields }) => addressesOf(fields)),
  };
};
