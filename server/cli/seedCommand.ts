import { seedAccounts } from "../features/operator/seed.ts";
import { isLoopbackOrigin } from "../platform/config/loopbackOrigin.ts";
import { type Command, CommandError, UsageError } from "./command.ts";
import { withStore } from "./store.ts";

const numberOf = (name: string, text: string, most: number): number => {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new UsageError(`--${name} is a number from 1 to ${most}.`);
};

export const seedCommand: Command = {
  name: "seed",
  summary: "Make accounts with masks for trials, on a server that only this machine reaches",
  usage: "[--accounts <number>] [--masks <number>]",
  options: {
    accounts: { type: "string", value: "number", help: "number of accounts; 10 without it" },
    masks: { type: "string", value: "number", help: "number of masks of each; 10 without it" },
  },
  run: (invocation) =>
    withStore(invocation, async ({ config, database }) => {
      if (!isLoopbackOrigin(config.publicUrl))
        throw new CommandError(
          "This server is public: accounts for trials would be in its database for ever.",
        );
      const accounts = numberOf("accounts", invocation.text("accounts") ?? "10", 1_000_000);
      const masksEach = numberOf("masks", invocation.text("masks") ?? "10", 1_000);
      const { clock, random, terminal } = invocation;
      await seedAccounts(database, {
        accounts,
        masksEach,
        maskDomain: config.maskDomain,
        tier: config.defaultTier ?? "free",
        random,
        now: clock.now(),
        onProgress: (made) => terminal.progress(`${made} of ${accounts} accounts`),
      });
      terminal.progress("");
      terminal.print({ accounts, masks: accounts * masksEach }, [
        `Made ${accounts} accounts with ${masksEach} masks each.`,
      ]);
      return 0;
    }),
};
