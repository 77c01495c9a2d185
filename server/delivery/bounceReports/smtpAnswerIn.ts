const code = "[45]\\d\\d";
const status = "[45]\\.\\d{1,3}\\.\\d{1,3}\\b";

/** A reply of SMTP in a sentence: a code with a status (RFC 3463) or with words. */
const replyPattern = new RegExp(`(?<![\\d.:/@-])${code}[- ][ #(-]{0,3}(?:${status}|[a-z<"'[])`, "i");
const statusPattern = new RegExp(`(?<![\\d.])#?${status}`);
/** As Zoho writes it. */
const namedCodes = new RegExp(`ERROR_CODE ?:(${code}), ?ERROR_CODE ?:`, "i");

const maxContinuations = 3;

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** True if a line continues one that is indented so far. */
const isContinuation = (line: string, indent: number): boolean =>
  line.trim() !== "" && indentOf(line) >= Math.max(indent, 1);

const answerAt = (lines: readonly string[], at: number, pattern: RegExp): string | null => {
  const line = (lines[at] ?? "").replace(namedCodes, "$1 ");
  const found = pattern.exec(line);
  if (!found) return null;
  const answer = [line.slice(found.index).trim()];
  for (const next of lines.slice(at + 1, at + 1 + maxContinuations)) {
    if (!isContinuation(next, indentOf(line))) break;
    answer.push(next.trim());
  }
  return answer.join(" ");
};

/**
 * Finds the answer of a server that a text quotes, with the lines that continue it: the first with a code that is
 * permanent, else the first with any, else one with only a status. Empty without.
 */
export const findSmtpAnswer = (text: string): string => {
  const lines = text.split("\n");
  const search = (pattern: RegExp): readonly string[] =>
    lines.flatMap((_, at) => answerAt(lines, at, pattern) ?? []);
  const replies = search(replyPattern);
  return replies.find((reply) => reply.startsWith("5")) ?? replies[0] ?? search(statusPattern)[0] ?? "";
};

/** True if an answer is a permanent refusal with code and status, as no text of a person has it. */
export const isRefusal = (answer: string): boolean =>
  /^5\d\d[- ][ #(-]{0,3}5\.\d{1,3}\.\d{1,3}\b/.test(answer);
