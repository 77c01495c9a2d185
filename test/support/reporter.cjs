const { reporters } = require("mocha");

/** Mocha's spec reporter, closed by one line a script can read: `N passed, N failed`. */
module.exports = class extends reporters.Spec {
  epilogue() {
    super.epilogue();
    const { passes, failures, pending } = this.stats;
    const skipped = pending > 0 ? `, ${pending} skipped` : "";
    reporters.Base.consoleLog(`${passes} passed, ${failures} failed${skipped}`);
  }
};
