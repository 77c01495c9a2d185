import { join } from "node:path";
import { minuteMs } from "../../../core/kernel/durations.ts";
import type { OperatorChecks } from "../../../core/operator/operatorEndpoints.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Installation } from "../../context/serverContext.ts";
import type { Config } from "../../platform/config/config.ts";
import { createShared } from "../../platform/ops/shared.ts";
import type { DkimKeys } from "../../proof/dkimRotation.ts";
import type { Check } from "./check.ts";
import { dnsSetupOf, publicAddresses } from "./installation.ts";
import {
  checkMachine,
  checkNames,
  createResolver,
  usualMailServer,
  usualTimeServer,
} from "./installationChecks.ts";
import { createReadVersion } from "./version.ts";

/** DNS is asked at most this often, however many pages are open. */
const namesForMs = 10_000;
/** Other servers are asked at most this often. */
const machineForMs = 5 * minuteMs;

const productFolder = join(import.meta.dirname, "../../..");

/** Creates the checks of the machine that this server runs on. */
export const createInstallation = (
  config: Pick<
    Config,
    | "publicUrl"
    | "maskDomain"
    | "dataDir"
    | "nextHop"
    | "dnsServer"
    | "dkim"
    | "direct"
    | "subdomains"
    | "oidc"
    | "inbound"
    | "mailbox"
  >,
  { dkimKeys, clock }: { readonly dkimKeys: Pick<DkimKeys, "list">; readonly clock: Pick<Clock, "now"> },
): Installation => {
  const readNames = async (): Promise<readonly Check[]> => {
    const keys = config.dkim === "on" ? await dkimKeys.list() : [];
    const setup = dnsSetupOf(config, {
      addresses: publicAddresses(),
      dkim: keys.map(({ record }) => record),
    });
    return checkNames({ config, setup, dns: createResolver(config.dnsServer), asksBlockLists: false });
  };
  const readMachine = (): Promise<readonly Check[]> =>
    checkMachine({
      config,
      now: clock.now,
      timeServer: usualTimeServer,
      reachableMailServer: usualMailServer,
      ownMailServer: { host: config.maskDomain, port: 25 },
    });
  const names = createShared(readNames, namesForMs, clock.now);
  const machine = createShared(readMachine, machineForMs, clock.now);
  return {
    checks: async (): Promise<OperatorChecks> => {
      const [dns, others] = await Promise.all([names(), machine()]);
      return { dns, machine: others, asOf: new Date(clock.now()).toISOString() };
    },
    version: createReadVersion(productFolder),
  };
};
