import { type Command, Option } from "commander";
import * as E from "fp-ts/lib/Either.js";
import PostalMime, { decodeWords } from "postal-mime";
import { filter, firstValueFrom } from "rxjs";
import { createRulesAndSync, type RulesAndSync } from "../../core/app/rulesAndSync.ts";
import { createDestinations } from "../../core/destinations/destinations.ts";
import { parserLimits, toParsedMail } from "../../core/mail/parsedMail.ts";
import type { Mask } from "../../core/masks/mask.ts";
import type { NewRule } from "../../core/rules/editing/addRules.ts";
import { maskFacts } from "../../core/rules/editing/maskFacts.ts";
import type { Decision } from "../../core/rules/engine/decision.ts";
import {
  evaluate,
  explain,
  getRequirements,
  joinRules,
  prepareRules,
} from "../../core/rules/engine/evaluate.ts";
import { reasonMessages } from "../../core/rules/engine/explanation.ts";
import { writtenProof } from "../../core/rules/engine/facts.ts";
import type { Rule } from "../../core/rules/model/rule.ts";
import { readRules } from "../../core/rules/model/ruleList.ts";
import { exportSieve } from "../../core/rules/sieve/exportSieve.ts";
import { importSieve } from "../../core/rules/sieve/importSieve.ts";
import { declare } from "../command.ts";
import { usageError } from "../exits.ts";
import { readInput, writeNewFile } from "../files.ts";
import { findMask, loadMasks, run } from "../masks.ts";
import { plain } from "../output/text.ts";
import { type Session, withApp } from "./withApp.ts";

type Format = "json" | "sieve";

const formatOption = () =>
  new Option("--format <format>", "the format of the rules").choices(["json", "sieve"]);

const formatOf = (given: Format | undefined, path: string): Format =>
  given ?? (/\.(sieve|siv)$/i.test(path) ? "sieve" : "json");

const openRules = async (
  session: Session,
  name: string,
): Promise<{ readonly mask: Mask; readonly rules: readonly Rule[]; readonly editing: RulesAndSync }> => {
  const mask = findMask(await loadMasks(session, session.output), name);
  const editing = session.signedIn.feature(createRulesAndSync);
  return { mask, rules: editing.rules.rulesOf(mask.id), editing };
};

const exporting = declare("export <mask>", "Write the rules of a mask as JSON, or as a Sieve script", {
  call: "bauta-cli rules export k7wq2 --output rules.sieve",
  does: "writes a script for servers with Sieve",
})
  .addOption(formatOption())
  .option("--output <file>", "write a new file; its ending names the format")
  .action(
    withApp(
      async (session, name: string, options: { readonly format?: Format; readonly output?: string }) => {
        const { rules } = await openRules(session, name);
        const { output } = session;
        const isSieve = formatOf(options.format, options.output ?? "") === "sieve";
        const { script, notes } = exportSieve(rules);
        const text = isSieve ? script : `${JSON.stringify(rules, null, 2)}\n`;
        if (isSieve) for (const note of notes) output.note(note);
        const value = isSieve && !options.output ? { script, notes } : rules;
        if (options.output === undefined) {
          const lines = text.trimEnd().split("\n");
          output.print({ value, quiet: lines, lines: () => lines.map(plain) });
          return;
        }
        writeNewFile(options.output, text);
        output.print({
          value: { file: options.output, rules: rules.length },
          lines: () => [`Wrote ${rules.length} rules to ${options.output}.`],
        });
      },
    ),
  );

interface ReadRules {
  readonly rules: readonly NewRule[];
  readonly notes: readonly string[];
}

const readSieve = (text: string): ReadRules => {
  const read = importSieve(text);
  if (E.isLeft(read)) throw usageError(read.left);
  return read.right;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw usageError("The rules are not JSON. A Sieve script needs --format sieve.");
  }
};

const readJson = (text: string): ReadRules => {
  const json = parsed(text);
  if (!Array.isArray(json)) throw usageError("The rules are not a list, as `rules export` writes it.");
  const { rules, unreadable } = readRules(json);
  const notes = unreadable === 0 ? [] : [`${unreadable} of the rules cannot be read and are left out.`];
  return { rules: rules.map(({ id: _, maskId: _mask, ...rule }) => rule), notes };
};

const importing = declare(
  "import <mask> <file>",
  'Add rules to those of a mask, from a file or "-" for the input. Without a network they wait here, and the next command sends them',
  { call: "bauta-cli rules import k7wq2 rules.json", does: "adds the rules that `rules export` has written" },
)
  .addOption(formatOption())
  .action(
    withApp(async (session, name: string, path: string, { format }: { readonly format?: Format }) => {
      const text = (await readInput(path)).toString("utf8");
      const { rules, notes } = formatOf(format, path) === "sieve" ? readSieve(text) : readJson(text);
      for (const note of notes) session.output.note(note);
      if (rules.length === 0) throw usageError("There are no rules in it.");
      const { mask, editing } = await openRules(session, name);
      const outcome = await run(editing.rules.addAll(rules, mask.id));
      const count = rules.length === 1 ? "1 rule" : `${rules.length} rules`;
      session.output.print({
        value: { mask: mask.maskEmail, rules: rules.length, outcome },
        lines: () => [
          outcome === "saved"
            ? `Added ${count} to ${mask.maskEmail}.`
            : `The server cannot be reached: ${count} for ${mask.maskEmail} wait here. The next command with a network sends them.`,
        ],
      });
    }),
  );

const sentencesOf = (decision: Decision): readonly string[] => {
  const { block, destinations, digest, dailyDigest, archive, tags, subject, hold } = decision;
  if (block !== null) return [block.how === "silent" ? "It is stopped silently." : "It is refused."];
  return [
    ...(hold === null ? [] : ["It is held until you decide about it."]),
    ...(destinations.length > 0 ? [`It is forwarded to ${destinations.join(", ")}.`] : []),
    ...(digest.length > 0 ? [`It goes to ${digest.join(", ")} with the next hourly mail.`] : []),
    ...(dailyDigest.length > 0 ? [`It goes to ${dailyDigest.join(", ")} with the next daily mail.`] : []),
    ...(archive ? ["It is kept in the archive."] : []),
    ...(tags.length > 0 ? [`It is tagged ${tags.join(", ")}.`] : []),
    ...(subject === null ? [] : [`Its subject becomes "${subject}".`]),
  ];
};

const outcomes = {
  matched: "applies",
  "not-matched": "does not apply",
  "not-looked-at": "not looked at",
} as const;

const confirmedAddresses = async ({ signedIn }: Session, mask: Mask): Promise<readonly string[]> => {
  const destinations = signedIn.feature(createDestinations);
  await destinations.refresh()();
  const known = destinations.list$.value?.filter(({ status }) => status === "confirmed");
  return known?.map(({ email }) => email) ?? [mask.forwardTo];
};

const testing = declare(
  "test <mask> <mail>",
  'Say what the rules of a mask do with a mail (.eml), from a file or "-" for the input; nothing is sent',
  { call: "bauta-cli rules test k7wq2 mail.eml", does: "explains what happens to the mail, and why" },
).action(
  withApp(async (session, name: string, path: string) => {
    const bytes = await readInput(path);
    const { mask, rules, editing } = await openRules(session, name);
    const mail = await PostalMime.parse(bytes, parserLimits).catch(() => {
      throw usageError(`${path} is not a mail that can be read.`);
    });
    const message = toParsedMail(mail, decodeWords);
    const { allMasks } = await firstValueFrom(
      editing.rules.view$.pipe(filter((view) => view.allMasks.status !== "loading")),
    );
    const { before, after } = allMasks;
    const { patterns } = getRequirements([...before, ...rules, ...after]);
    const compile = patterns ? await editing.patterns() : undefined;
    const now = Date.now();
    const evaluation = evaluate(
      joinRules({
        before: prepareRules(before, compile, "before"),
        mask: prepareRules(rules, compile),
        after: prepareRules(after, compile, "after"),
      }),
      message,
      {
        mask: maskFacts(mask, now),
        account: {
          confirmed: await confirmedAddresses(session, mask),
          ownDomains: [session.app.configuration.maskDomain],
        },
        category: null,
        size: bytes.length,
        proof: writtenProof(message.headers),
        now,
      },
    );
    const explanation = explain(evaluation);
    session.output.print({
      value: {
        decision: evaluation.decision,
        rules: explanation.map(({ name: rule, outcome, reason }) => ({ name: rule, outcome, reason })),
      },
      quiet: sentencesOf(evaluation.decision),
      lines: () => [
        ...sentencesOf(evaluation.decision).map(plain),
        ...explanation.map(({ name: rule, outcome, reason }) =>
          plain(`${rule}: ${outcomes[outcome]}${reason === null ? "" : `. ${reasonMessages[reason]}`}`),
        ),
      ],
    });
  }),
);

export const ruleCommand: Command = declare(
  "rules",
  "Rules of a mask: export, import, and test them on a mail",
)
  .addCommand(exporting)
  .addCommand(importing)
  .addCommand(testing);
