import { execFileSync } from "node:child_process";
import { skipWithout } from "../../../support/missing.ts";

/** Skips the test where a program is not installed. */
export const needsProgram = (context: Mocha.Context, program: string): void => {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
  } catch {
    skipWithout(context, program);
  }
};

/** Returns the encrypted part of an encrypted mail. */
export const armoredIn = (sealed: Buffer): string => {
  const text = sealed.toString("latin1");
  return text.slice(text.indexOf("-----BEGIN PGP MESSAGE"), text.indexOf("-----END PGP MESSAGE-----") + 25);
};
