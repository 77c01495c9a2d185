import type { DkimRecord } from "../features/operator/dnsRecords.ts";
import { createSeal, openSecrets } from "../platform/ops/secrets.ts";
import type { DkimKeyInfo } from "../proof/dkimKeys.ts";
import { DkimKeys, rereadMs, retiredKeyDays } from "../proof/dkimRotation.ts";
import { type Command, CommandError, type Invocation } from "./command.ts";
import { withStore } from "./store.ts";
import { columns } from "./terminal.ts";

const withKeys = <A>(invocation: Invocation, work: (keys: DkimKeys) => Promise<A>): Promise<A> =>
  withStore(invocation, async ({ config, database }) => {
    const { clock, random } = invocation;
    const seal = createSeal(openSecrets(config.dataDir).sealing, random);
    const keys = new DkimKeys({ database, seal, clock, domain: config.maskDomain });
    await keys.ensure();
    return work(keys);
  });

/** Returns the DKIM records to publish; creates the first keys when there are none. */
export const readDkimRecords = (invocation: Invocation): Promise<readonly DkimRecord[]> =>
  withKeys(invocation, async (keys) => (await keys.list()).map(({ record }) => record));

const keyLines = (keys: readonly DkimKeyInfo[]): readonly string[] => [
  ...columns([
    ["SELECTOR", "STATE", "ALGORITHM"],
    ...keys.map(({ selector, state, algorithm }) => [selector, state, algorithm]),
  ]),
  "",
  ...keys.map(({ record: { name, value } }) => `${name}. TXT ${value}`),
];

const show: Command = {
  name: "dkim show",
  summary: "Show the keys that sign mail, and their DNS records",
  run: (invocation) =>
    withKeys(invocation, async (keys) => {
      const all = await keys.list();
      invocation.terminal.print(all, keyLines(all));
      return 0;
    }),
};

const rotate: Command = {
  name: "dkim rotate",
  summary: "Create the next keys; with --activate, sign with them once their records are published",
  usage: "[--activate]",
  options: { activate: { type: "boolean", help: "sign with the next keys from now on" } },
  run: (invocation) =>
    withKeys(invocation, async (keys) => {
      const isActivated = invocation.flag("activate");
      const changed = await (isActivated ? keys.activateRotation() : keys.prepareRotation());
      if (changed.length === 0)
        throw new CommandError(
          "No next keys are prepared, and the present ones keep signing. Run `bauta dkim rotate` first, and publish what it prints.",
        );
      invocation.terminal.print(changed, [
        ...keyLines(changed),
        "",
        isActivated
          ? `The server signs with the new keys within ${rereadMs / 1_000} seconds. Keep the records of the old ones for ${retiredKeyDays} days.`
          : "Publish these records, wait until `bauta doctor` finds them, then run `bauta dkim rotate --activate`.",
      ]);
      return 0;
    }),
};

export const dkimCommands: readonly Command[] = [show, rotate];
