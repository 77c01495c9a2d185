const { readFileSync } = require("node:fs");

const known = new Map();

/** Where a real browser takes part, how long things take is the machine's to say. */
const drivesBrowser = (file) => {
  if (!known.has(file)) known.set(file, readFileSync(file, "utf8").includes("launchBrowser"));
  return known.get(file);
};

/** Such a test may fail once; the reporter names each that did. */
exports.mochaHooks = {
  beforeEach() {
    const test = this.currentTest;
    if (test?.file && drivesBrowser(test.file)) test.retries(1);
  },
};
