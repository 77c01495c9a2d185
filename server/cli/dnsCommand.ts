import { dnsRecords, reverseRecords, toProviderForm, toZoneFile } from "../features/operator/dnsRecords.ts";
import { dnsSetupOf, publicAddresses } from "../features/operator/installation.ts";
import type { Command, Invocation } from "./command.ts";
import { readDkimRecords } from "./dkimCommands.ts";
import { configOf } from "./store.ts";
import { columns } from "./terminal.ts";

export const addressOption = {
  address: {
    type: "string",
    value: "addresses",
    help: "public addresses of this machine, separated by commas",
  },
} as const;

/** Returns the public addresses that were named, or those of the machine. */
export const addressesOf = ({ text }: Pick<Invocation, "text">): readonly string[] =>
  text("address")
    ?.split(",")
    .map((address) => address.trim()) ?? publicAddresses();

export const dnsCommand: Command = {
  name: "dns",
  summary: "Print the DNS records of the installation",
  usage: "[--form <zone>]",
  options: {
    form: {
      type: "string",
      value: "zone",
      help: "as a provider's form asks for them, with names within this zone",
    },
    ...addressOption,
  },
  run: async (invocation) => {
    const config = configOf(invocation);
    const setup = dnsSetupOf(config, {
      addresses: addressesOf(invocation),
      dkim: await readDkimRecords(invocation),
    });
    const [records, reverse] = [dnsRecords(setup), reverseRecords(setup)];
    const zone = invocation.text("form");
    const notes = reverse.map(({ name, value, why }) => `; ${name}: ${value} (${why})`);
    const form =
      zone === undefined
        ? toZoneFile(records)
        : columns([
            ["NAME", "TYPE", "PRIORITY", "VALUE"],
            ...toProviderForm(records, zone).map(({ name, type, priority, value }) => [
              name,
              type,
              priority || "-",
              value,
            ]),
          ]);
    invocation.terminal.print([...records, ...reverse], [...form, ...notes]);
    return 0;
  },
};
