import { isIP } from "node:net";
import { dnsRecords, reverseRecords, toProviderForm, toZoneFile } from "../features/operator/dnsRecords.ts";
import { dnsSetupOf, publicAddresses } from "../features/operator/installation.ts";
import { type Command, type Invocation, UsageError } from "./command.ts";
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

/** Returns the public addresses that were named, or those of the machine; throws a `UsageError` for what is none. */
export const addressesOf = ({ text }: Pick<Invocation, "text">): readonly string[] => {
  const named = text("address")
    ?.split(",")
    .map((address) => address.trim());
  const wrong = named?.find((address) => isIP(address) === 0);
  if (wrong !== undefined) throw new UsageError(`--address: "${wrong}" is no IPv4 or IPv6 address.`);
  return named ?? publicAddresses();
};

/** Returns the zone of --form in small letters; throws a `UsageError` for one that does not contain the domain. */
const zoneOf = ({ text }: Pick<Invocation, "text">, maskDomain: string): string | undefined => {
  const zone = text("form")?.toLowerCase().replace(/\.$/, "");
  if (zone !== undefined && (zone === "" || !`.${maskDomain}`.endsWith(`.${zone}`)))
    throw new UsageError(`--form: "${zone}" is no zone of ${maskDomain}.`);
  return zone;
};

export const dnsCommand: Command = {
  name: "dns",
  summary: "Print the DNS records of the installation",
  usage: "[--form <zone>]",
  options: {
    form: {
      type: "string",
      value: "zone",
      help: "for a provider's form, with names within this zone",
    },
    ...addressOption,
  },
  run: async (invocation) => {
    const config = configOf(invocation);
    const zone = zoneOf(invocation, config.maskDomain);
    const setup = dnsSetupOf(config, {
      addresses: addressesOf(invocation),
      dkim: await readDkimRecords(invocation),
    });
    const records = dnsRecords(setup);
    const reverse = reverseRecords(setup);
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
