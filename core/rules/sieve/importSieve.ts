import * as E from "fp-ts/lib/Either.js";
import type { RuleAction } from "../model/action.ts";
import { type ConditionNode, isGroup } from "../model/conditionGroup.ts";
import { Rule } from "../model/rule.ts";
import { archiveFolder } from "./exportSieve.ts";
import { always, importTest } from "./importTest.ts";
import { parseSieve, type SieveNode } from "./sieveSyntax.ts";

/** A rule of a script, without the fields that a list gives it. */
export type ImportedRule = Omit<Rule, "id">;

/** The rules of a script, and what of it they lack, one sentence each. */
export interface SieveImport {
  readonly rules: readonly ImportedRule[];
  readonly notes: readonly string[];
}

const replyDays = 7;

const listsOf = ({ args }: SieveNode): readonly (readonly string[])[] =>
  args.flatMap((arg) => (arg.kind === "strings" ? [arg.strings] : []));

const hasTag = ({ args }: SieveNode, tag: string): boolean =>
  args.some((arg) => arg.kind === "tag" && arg.tag === tag);

/** Returns the text after a tag; undefined without one. */
const textAfter = ({ args }: SieveNode, tag: string): string | undefined => {
  const at = args.findIndex((arg) => arg.kind === "tag" && arg.tag === tag);
  const next = at === -1 ? undefined : args[at + 1];
  return next?.kind === "strings" ? next.strings[0] : undefined;
};

/** The actions of a command, and what they lack. */
interface ImportedActions {
  readonly actions: readonly RuleAction[];
  readonly note?: string;
}

const tagged = (tags: readonly string[]): readonly RuleAction[] =>
  tags.map((tag) => ({ type: "tag", params: { tag } }));

const fileInto = (node: SieveNode): ImportedActions => {
  const folder = listsOf(node).at(-1)?.[0] ?? "";
  const isRead = textAfter(node, ":flags")?.toLowerCase() === "\\seen";
  if (hasTag(node, ":copy"))
    return { actions: tagged([folder]), note: `the folder “${folder}” becomes a tag` };
  return folder === archiveFolder
    ? { actions: [{ type: "archive", params: { markAsRead: isRead } }] }
    : { actions: tagged([folder]), note: `the folder “${folder}” becomes a tag` };
};

const addFlags = (node: SieveNode): ImportedActions => {
  const flags = (listsOf(node).at(-1) ?? []).flatMap((text) => text.split(/\s+/)).filter(Boolean);
  const own = flags.filter((flag) => !flag.startsWith("\\"));
  return {
    actions: tagged(own),
    ...(own.length < flags.length ? { note: "flags of the mail program are not set here" } : {}),
  };
};

const vacation = (node: SieveNode): ImportedActions => {
  const message = listsOf(node).at(-1)?.[0] ?? "";
  const days = node.args.find((arg) => arg.kind === "number");
  const others = [":mime", ":from", ":handle", ":addresses", ":seconds"].filter((tag) => hasTag(node, tag));
  const notes = [
    ...(days?.kind === "number" && days.number !== replyDays
      ? [`an answer goes to a sender once in ${replyDays} days`]
      : []),
    ...(others.length > 0 ? [`${others.join(", ")} has no effect here`] : []),
  ];
  const subject = textAfter(node, ":subject") ?? "";
  return {
    actions: [{ type: "auto-reply", params: { subject, message } }],
    ...(notes.length > 0 ? { note: notes.join(", and ") } : {}),
  };
};

/** Returns the actions of a command; null for a command that is not known here. */
const importAction = (node: SieveNode): ImportedActions | null => {
  switch (node.name) {
    case "keep":
    case "stop":
      return { actions: [] };
    case "discard":
      return { actions: [{ type: "block", params: { silentBlock: true } }] };
    case "reject":
    case "ereject":
      return { actions: [{ type: "block", params: { silentBlock: false } }] };
    case "redirect":
      return hasTag(node, ":copy")
        ? null
        : {
            actions: [
              {
                type: "forward",
                params: { email: listsOf(node).at(-1)?.[0] ?? "", immediate: true, daily: false },
              },
            ],
          };
    case "fileinto":
      return fileInto(node);
    case "addflag":
    case "setflag":
      return addFlags(node);
    case "vacation":
      return vacation(node);
    default:
      return null;
  }
};

/** Removes groups that change nothing: of one part, and "all of" in "all of". */
const simplified = (nodes: readonly ConditionNode[]): readonly ConditionNode[] =>
  nodes.flatMap((node): readonly ConditionNode[] => {
    if (!isGroup(node)) return [node];
    // Each level is simplified once: twice would take time that doubles with each level.
    if (node.match === "all") return simplified(node.conditions);
    const parts = node.match === "any" ? flattened(node.conditions) : keptGroups(node.conditions);
    const [only] = parts;
    return node.match === "any" && parts.length === 1 && only ? [only] : [{ ...node, conditions: parts }];
  });

/** Simplifies the alternatives of a group; those of "any of" in "any of" are its own. */
const flattened = (nodes: readonly ConditionNode[]): readonly ConditionNode[] =>
  nodes.flatMap((node) => {
    if (isGroup(node) && node.match === "any") return flattened(node.conditions);
    return keptGroups([node]);
  });

/** Simplifies parts that stay apart: "all of" several stays a group. */
const keptGroups = (nodes: readonly ConditionNode[]): readonly ConditionNode[] =>
  nodes.flatMap((node): readonly ConditionNode[] => {
    if (!isGroup(node)) return [node];
    if (node.match !== "all") return simplified([node]);
    const conditions = simplified(node.conditions);
    const [only] = conditions;
    return conditions.length === 1 && only ? [only] : [{ ...node, conditions }];
  });

interface Place {
  readonly conditions: readonly ConditionNode[];
  readonly enabled: boolean;
  readonly name: string;
  readonly line: number;
}

const nameIn = (comment: string): string =>
  comment
    .split("\n")
    .map((line) => /^rule:\s*\[(.*)\]$/.exec(line)?.[1]?.trim() ?? "")
    .findLast((name) => name !== "") ?? "";

const isDisabled = ({ name, tests }: SieveNode): boolean => name === "allof" && tests[0]?.name === "false";

const withoutFalse = (test: SieveNode): SieveNode =>
  isDisabled(test) ? { ...test, tests: test.tests.slice(1) } : test;

const noneOf = (conditions: readonly ConditionNode[]): readonly ConditionNode[] =>
  conditions.length === 0 ? [] : [{ match: "none", conditions }];

const maxNameLength = 100;

const dependsOnUnknown = "it depends on a test that is not known here";

/** The condition of a branch; none for "else". */
const testOf = ({ name, line, tests: [test] }: SieveNode): E.Either<string, readonly ConditionNode[]> => {
  if (test === undefined) return name === "else" ? E.right([]) : E.left(`line ${line}: a test is missing`);
  return E.map((node: ConditionNode): readonly ConditionNode[] => [node])(importTest(withoutFalse(test)));
};

/** Collects rules and notes while it goes through the commands of a script. */
const createCollector = () => {
  const rules: ImportedRule[] = [];
  const notes: string[] = [];

  const addRule = (
    { conditions, enabled, name, line }: Place,
    actions: readonly RuleAction[],
    stop: boolean,
  ): void => {
    const decoded = Rule.decode({
      id: "imported",
      name: (name || `Rule from line ${line}`).slice(0, maxNameLength),
      type: "content_filter",
      enabled,
      conditions: simplified(conditions.length === 0 ? [always] : conditions),
      actions,
      ...(stop ? { metadata: { stop } } : {}),
    });
    if (E.isRight(decoded)) {
      const { id: _, ...rule } = decoded.right;
      rules.push(rule);
    } else notes.push(`Line ${line}: left out. ${decoded.left[0]?.message ?? ""}`);
  };

  const readActions = (commands: readonly SieveNode[]): readonly RuleAction[] =>
    commands.flatMap((command) => {
      const found = importAction(command);
      if (found === null) notes.push(`Line ${command.line}: “${command.name}” is left out.`);
      else if (found.note !== undefined) notes.push(`Line ${command.line}: ${found.note}.`);
      return found?.actions ?? [];
    });

  const isBranch = ({ name }: SieveNode): boolean => name === "if" || name === "elsif" || name === "else";

  /** Reads one run of commands without a branch as a rule. */
  const readRun = (run: readonly SieveNode[], place: Place): void => {
    const actions = readActions(run);
    const stop = run.some(({ name }) => name === "stop");
    const blocks = actions.some(({ type }) => type === "block");
    if (actions.length > 0) addRule(place, actions, stop && !blocks);
    else if (stop || run.some(({ name }) => name === "keep" && place.conditions.length > 0))
      notes.push(
        `Line ${run[0]?.line ?? place.line}: left out, because a rule here does something with an email.`,
      );
  };

  const readCommands = (commands: readonly SieveNode[], place: Place): void => {
    let run: SieveNode[] = [];
    let earlier: readonly ConditionNode[] | null = [];
    const endRun = (): void => {
      if (run.length > 0) readRun(run, place);
      run = [];
    };
    for (const command of commands) {
      if (command.name === "require") continue;
      if (!isBranch(command)) {
        run.push(command);
        continue;
      }
      endRun();
      if (command.name === "if") earlier = [];
      earlier = readBranch(command, place, earlier);
    }
    endRun();
  };

  /** Returns the tests that later branches exclude; null when one of them is not known here. */
  const readBranch = (
    command: SieveNode,
    place: Place,
    earlier: readonly ConditionNode[] | null,
  ): readonly ConditionNode[] | null => {
    const { line, tests, block, comment } = command;
    const [test] = tests;
    const own = testOf(command);
    if (E.isLeft(own) || earlier === null) {
      notes.push(
        `Line ${line}: left out with all that is in it; ${E.isLeft(own) ? own.left : dependsOnUnknown}.`,
      );
      return null;
    }
    const isOff = test !== undefined && isDisabled(test);
    readCommands(block ?? [], {
      conditions: [...place.conditions, ...noneOf(earlier), ...own.right],
      enabled: place.enabled && !isOff,
      name: nameIn(comment) || place.name,
      line,
    });
    return isOff ? earlier : [...earlier, ...own.right];
  };

  return { rules, notes, readCommands };
};

/**
 * Reads a Sieve script (RFC 5228) as rules. What has no counterpart is left out and named with its line; left: why the
 * script cannot be read at all.
 */
export const importSieve = (script: string): E.Either<string, SieveImport> =>
  E.map((commands: readonly SieveNode[]): SieveImport => {
    const { rules, notes, readCommands } = createCollector();
    readCommands(commands, { conditions: [], enabled: true, name: "", line: 1 });
    return { rules, notes };
  })(parseSieve(script));
