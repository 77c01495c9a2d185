/**
 * Skips a test, or in a `before` hook its suite, that needs something this machine lacks: a program or a corpus. The
 * reporter lists what is missing in the last lines of the run.
 */
export const skipWithout = (context: Mocha.Context, missing: string): never => {
  const test = context.test as Mocha.Test | Mocha.Hook | undefined;
  const titled = test?.type === "hook" ? test.parent : test;
  if (titled && !titled.title.includes("[needs ")) titled.title = `${titled.title} [needs ${missing}]`;
  return context.skip();
};
