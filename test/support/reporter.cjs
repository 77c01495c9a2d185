const { reporters } = require("mocha");
const { describeMissing } = require("./corpusSources.ts");
const { takeCosts } = require("./costs.mjs");

/** Files in the table of costs; a run of fewer files has none. */
const shownFiles = 10;

const seconds = (value) => `${value.toFixed(1)} s`.padStart(9);

/** The most costly test files; the browser and PostgreSQL, which all files share, are not part of their costs. */
const tableOf = (costs) =>
  costs.length <= shownFiles
    ? []
    : [
        `the ${shownFiles} most costly of ${costs.length} test files:      CPU     wall`,
        ...costs
          .slice(0, shownFiles)
          .map(({ file, cpu, wall }) => `  ${file.padEnd(46)}${seconds(cpu)}${seconds(wall)}`),
      ];

/**
 * Mocha's spec reporter. Its last lines list the most costly files, and what this machine lacks for the skipped tests;
 * the very last is `N passed, N failed` for scripts to read.
 */
module.exports = class extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    this.missing = new Map();
    runner.on("pending", (test) => {
      const needs = [...test.fullTitle().matchAll(/\[needs (.+?)\]/g)].map(([, missing]) => missing);
      for (const missing of needs.length > 0 ? needs : ["a reason it does not give"])
        this.missing.set(missing, (this.missing.get(missing) ?? 0) + 1);
    });
  }

  epilogue() {
    super.epilogue();
    const { passes, failures, pending } = this.stats;
    for (const line of tableOf(takeCosts())) reporters.Base.consoleLog(line);
    for (const [missing, count] of this.missing)
      reporters.Base.consoleLog(`skipped for lack of ${describeMissing(missing)}: ${count}`);
    const skipped = pending > 0 ? `, ${pending} skipped` : "";
    reporters.Base.consoleLog(`${passes} passed, ${failures} failed${skipped}`);
  }
};
