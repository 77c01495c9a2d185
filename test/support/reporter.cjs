const { reporters } = require("mocha");

/**
 * Mocha's spec reporter, with the tests that passed at the second try only, and closed by one line a script can read:
 * `N passed, N failed`.
 */
module.exports = class extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    this.triedAgain = [];
    runner.on("retry", (test, error) => this.triedAgain.push(`${test.fullTitle()}: ${error?.message}`));
  }

  epilogue() {
    super.epilogue();
    const { passes, failures, pending } = this.stats;
    const skipped = pending > 0 ? `, ${pending} skipped` : "";
    for (const one of this.triedAgain) reporters.Base.consoleLog(`tried again: ${one}`);
    reporters.Base.consoleLog(`${passes} passed, ${failures} failed${skipped}`);
  }
};
