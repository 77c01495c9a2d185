const { reporters } = require("mocha");
const { describeMissing } = require("./corpusSources.ts");

/**
 * Mocha's spec reporter. Its last lines list what this machine lacks for the skipped tests, then
 * `N passed, N failed` for scripts to read.
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
    for (const [missing, count] of this.missing)
      reporters.Base.consoleLog(`skipped for lack of ${describeMissing(missing)}: ${count}`);
    const skipped = pending > 0 ? `, ${pending} skipped` : "";
    reporters.Base.consoleLog(`${passes} passed, ${failures} failed${skipped}`);
  }
};
