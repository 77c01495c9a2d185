import { seedAccounts } from "../features/operator/seed.ts";
import { isLoopbackOrigin } from "../platform/config/loopbackOrigin.ts";
import { type Command, CommandError, type Invocation, UsageError } from "./command.ts";
import { withStore } from "./store.ts";

/** What is made where the command does not say otherwise. */
const usual = { accounts: 10, masks: 10 };

const numberOf = (invocation: Invocation, name: keyof typeof usual, most: number): number => {
  const number = Number(invocation.text(name) ?? usual[name]);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new UsageError(`--${name} is a number from 1 to ${most}.`);
};

export const seedCommand: Command = {
  name: "seed",
  summary: "Create accounts with masks for trials, on a server that only this machine reaches",
  usage: "[--accounts <number>] [--masks <number>]",
  options: {
    accounts: { type: "string", value: "number", help: `number of accounts; ${usual.accounts} without it` },
    masks: { type: "string", value: "number", help: `number of masks of each; ${usual.masks} without it` },
  },
  run: (invocation) =>
    withStore(invocation, async ({ config, database }) => {
      if (!isLoopbackOrigin(config.publicUrl))
        throw new CommandError("This server is public: accounts for trials would stay in its database.");
      const accounts = numberOf(invocation, "accounts", 1_000_000);
      const masksEach = numberOf(invocation, "masks", 1_000);
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
        `Created ${accounts} accounts with ${masksEach} masks each.`,
      ]);
      return 0;
    }),
};
