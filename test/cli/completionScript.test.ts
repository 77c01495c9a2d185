import { execFileSync, spawnSync } from "node:child_process";
import { expect } from "chai";
import { Argument, Command, Option } from "commander";
import { completionScript } from "../../cli/completionScript.ts";
import { skipWithout } from "../support/missing.ts";

const program = new Command("tool").addCommand(
  new Command("log")
    .addArgument(new Argument("<kind>").choices(["short", "long"]))
    .addOption(new Option("--result <result>", "one result").choices(["delivered", "held"]))
    .option("--mask <mask>", "one mask")
    .option("--limit <number>", "how many"),
);

const script = (shell: "bash" | "fish"): string => completionScript(program, shell, { mask: "echo shop" });

const inBash = (...words: readonly string[]): string =>
  execFileSync(
    "bash",
    [
      "-c",
      `${script("bash")}\nCOMP_WORDS=(tool "$@"); COMP_CWORD=$#; _tool; echo "\${COMPREPLY[*]}"`,
      "bash",
      ...words,
    ],
    { encoding: "utf8" },
  ).trim();

describe("The completion of the value of an option", () => {
  it("offers its choices, or what its name stands for, and no commands", () => {
    expect(inBash("log", "--result", "")).to.equal("delivered held");
    expect(inBash("log", "long", "--result", "h")).to.equal("held");
    expect(inBash("log", "--mask", "")).to.equal("shop");
    expect(inBash("log", "--limit", "")).to.equal("");
    expect(inBash("log", "--limit", "5", "")).to.equal("short long");
    expect(inBash("log", "--re")).to.equal("--result");
  });

  it("does so in fish", function () {
    if (spawnSync("fish", ["--version"]).error) return skipWithout(this, "fish");
    const completed = (typed: string): readonly string[] =>
      execFileSync("fish", ["--no-config", "-c", `${script("fish")}\ncomplete -C ${JSON.stringify(typed)}`], {
        encoding: "utf8",
      })
        .trim()
        .split(/\s*\n/);
    expect(completed("tool log --result ")).to.deep.equal(["delivered", "held"]);
    expect(completed("tool log --mask ")).to.deep.equal(["shop"]);
  });
});
