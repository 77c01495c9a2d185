/**
 * Skips a test, or in a `before` hook its suite, that needs something this machine lacks: programs, or corpora named by
 * their folders. The reporter lists what is missing in the last lines of the run.
 */
export const skipWithout = (context: Mocha.Context, ...missing: readonly string[]): never => {
  const test = context.test as Mocha.Test | Mocha.Hook | undefined;
  const titled = test?.type === "hook" ? test.parent : test;
  const needs = missing.map((one) => `[needs ${one}]`).join(" ");
  if (titled && !titled.title.includes("[needs ")) titled.title = `${titled.title} ${needs}`;
  return context.skip();
};
