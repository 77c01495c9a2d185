import type { RuleAction } from "../model/action.ts";
import { endsEvaluation, type Rule } from "../model/rule.ts";
import { ruleSummary, summaryText } from "../model/ruleSummary.ts";
import { quoted } from "./sieveSyntax.ts";
import { joinTests } from "./sieveTest.ts";

/** A Sieve script (RFC 5228), and what of the rules it lacks, one sentence each. */
export interface SieveExport {
  readonly script: string;
  readonly notes: readonly string[];
}

/** Commands for an action, the extensions they need, and what they lack. */
interface SieveCommands {
  readonly commands: readonly string[];
  readonly extensions?: readonly string[];
  readonly note?: string;
}

const replyDays = 7;

/** The folder of archived mail; the import takes it for the archive. */
export const archiveFolder = "Archive";

/** The characters of an IMAP keyword (RFC 3501, 9). */
const toKeyword = (tag: string): string => tag.replace(/[^A-Za-z0-9_$.-]+/g, "_");

const without = (note: string): SieveCommands => ({ commands: [], note });

const actionCommands = (action: RuleAction): SieveCommands => {
  switch (action.type) {
    case "block":
      return action.params.silentBlock
        ? { commands: ["discard;", "stop;"] }
        : {
            commands: [`reject ${quoted("This address does not take this mail.")};`, "stop;"],
            extensions: ["reject"],
          };
    case "forward": {
      const { email, immediate } = action.params;
      const note = immediate ? {} : { note: "it forwards at once, not in batches" };
      return { commands: [`redirect ${quoted(email)};`], ...note };
    }
    case "tag": {
      const keyword = toKeyword(action.params.tag);
      const note = keyword === action.params.tag ? {} : { note: `the tag is written ${keyword}` };
      return { commands: [`addflag ${quoted(keyword)};`], extensions: ["imap4flags"], ...note };
    }
    case "auto-reply": {
      const { subject, message } = action.params;
      const about = subject === "" ? "" : ` :subject ${quoted(subject)}`;
      return {
        commands: [`vacation :days ${replyDays}${about} ${quoted(message)};`],
        extensions: ["vacation"],
      };
    }
    case "archive":
      return {
        commands: [
          `fileinto${action.params.markAsRead ? ' :flags "\\\\Seen"' : ""} ${quoted(archiveFolder)};`,
        ],
        extensions: action.params.markAsRead ? ["fileinto", "imap4flags"] : ["fileinto"],
      };
    case "hold":
      return without("Sieve cannot hold an email");
    case "notify":
      return without("Sieve cannot notify you here");
    case "modify":
      return without("Sieve cannot change a subject or remove trackers");
  }
};

const describe = (rule: Rule): string => summaryText(ruleSummary(rule)).replace(/\s+/g, " ");

interface WrittenRule {
  readonly text: string;
  readonly extensions: readonly string[];
  readonly notes: readonly string[];
}

const named = (rule: Rule, note: string): string => `“${rule.name}”: ${note}.`;

const leftOut = (rule: Rule, why: string): WrittenRule => ({
  text: `# rule:[${rule.name}]\n# Left out: ${describe(rule)}`,
  extensions: [],
  notes: [named(rule, why)],
});

const writeRule = (rule: Rule): WrittenRule => {
  const test = joinTests("allof", rule.conditions);
  if (test === null)
    return leftOut(rule, "left out, because Sieve has no such condition, or does not compare it so");
  const actions = rule.actions.map(actionCommands);
  const done = actions.flatMap(({ commands }) => commands);
  if (done.length === 0 && !endsEvaluation(rule))
    return leftOut(rule, "left out, because Sieve has no such action");
  const commands = endsEvaluation(rule) && done.at(-1) !== "stop;" ? [...done, "stop;"] : done;
  const condition = rule.enabled ? test.text : `allof (false, ${test.text})`;
  return {
    text: [`# rule:[${rule.name}]`, `if ${condition} {`, ...commands.map((one) => `  ${one}`), "}"].join(
      "\n",
    ),
    extensions: [...test.extensions, ...actions.flatMap(({ extensions = [] }) => extensions)],
    notes: actions.flatMap(({ note }) => (note === undefined ? [] : [named(rule, note)])),
  };
};

const keepsTrace = ({ actions }: Rule): boolean =>
  actions.some(({ type }) => type === "forward" || type === "archive" || type === "auto-reply");

/** True if a rule blocks mail after another one may have sent it: here a block undoes that, in Sieve it does not. */
const blocksLate = (rules: readonly Rule[]): boolean =>
  rules.some(
    ({ actions }, n) => actions.some(({ type }) => type === "block") && rules.slice(0, n).some(keepsTrace),
  );

/** True if a text has letters that Sieve compares with case, because it knows that of ASCII only (RFC 4790, 9.2). */
const hasOtherLetters = (text: string): boolean => /[^\0-\x7f]/.test(text);

/**
 * Writes rules as a Sieve script: each as one "if" with its name before it. What Sieve cannot say is left out and
 * named, in the notes and in the script.
 */
export const exportSieve = (rules: readonly Rule[]): SieveExport => {
  const written = rules.map(writeRule);
  const extensions = [...new Set(written.flatMap((one) => one.extensions))].sort();
  const notes = [
    ...written.flatMap((one) => one.notes),
    ...(blocksLate(rules)
      ? [
          "An email that a later rule blocks has been forwarded, archived or answered by then; here it is not.",
        ]
      : []),
    ...(written.some(({ text }) => /^if /m.test(text) && hasOtherLetters(text.replace(/^#.*$/gm, "")))
      ? ["Sieve compares letters beyond ASCII with case; here case makes no difference."]
      : []),
  ];
  const required = extensions.length === 0 ? [] : [`require [${extensions.map(quoted).join(", ")}];`];
  const script = [
    ["# Rules of Bauta", ...notes.map((note) => `# ${note}`), ...required].join("\n"),
    ...written.map(({ text }) => text),
  ].join("\n\n");
  return { script: `${script}\n`, notes };
};
