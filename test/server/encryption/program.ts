import { execFileSync } from "node:child_process";

/** Whether a program is installed; says so, in one line, where it is not and the test is skipped. */
export const isInstalled = (program: string): boolean => {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    console.log(`    skipped: ${program} is not installed`);
    return false;
  }
};

/** The encrypted part of a sealed mail. */
export const armouredIn = (sealed: Buffer): string => {
  const text = sealed.toString("latin1");
  return text.slice(text.indexOf("-----BEGIN PGP MESSAGE"), text.indexOf("-----END PGP MESSAGE-----") + 25);
};
