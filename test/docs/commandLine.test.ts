import { readFileSync } from "node:fs";
import { expect } from "chai";
import type { Command } from "commander";
import { exitTexts } from "../../cli/exits.ts";
import { createProgram } from "../../cli/program.ts";

interface Row {
  readonly usage: string;
  readonly options: readonly string[];
}

const argumentsOf = ({ registeredArguments }: Command): readonly string[] =>
  registeredArguments.map((one) => {
    const name = `${one.name()}${one.variadic ? "..." : ""}`;
    return one.required ? `<${name}>` : `[${name}]`;
  });

const isHidden = (command: Command): boolean =>
  command.parent !== null && !command.parent.createHelp().visibleCommands(command.parent).includes(command);

const rowsOf = (command: Command, path: readonly string[] = []): readonly Row[] => {
  if (isHidden(command)) return [];
  if (command.commands.length > 0)
    return command.commands.flatMap((one) => rowsOf(one, [...path, one.name()]));
  return [
    {
      usage: [...path, ...argumentsOf(command)].join(" "),
      options: command.options.map(({ flags }) => flags),
    },
  ];
};

describe("The document of the command line", () => {
  const text = readFileSync(new URL("../../docs/command-line.md", import.meta.url), "utf8");
  const tableAfter = (title: string): readonly (readonly string[])[] =>
    (text.split(`## ${title}\n`)[1]?.split("\n## ")[0] ?? "")
      .split("\n")
      .filter((line) => line.startsWith("| ") && !line.startsWith("| Co"))
      .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));

  it("has every command with its arguments and options, and no other", () => {
    const described = tableAfter("Commands").map(([, usage = "", , options = ""]) => ({
      usage: usage.replaceAll("`", ""),
      options: [...options.matchAll(/`([^`]+)`/g)].map(([, flags = ""]) => flags),
    }));
    expect(described).to.deep.equal(rowsOf(createProgram("0")));
  });

  it("has every exit code", () => {
    const described = tableAfter("Exit codes").flatMap(([, codes = ""]) => codes.split(", "));
    expect(described).to.deep.equal(exitTexts.flatMap(([exit]) => String(exit).split(", ")));
  });
});
