import { maxMadePerDay } from "../../../core/domains/domain.ts";
import { dayMs } from "../../../core/kernel/durations.ts";
import type { CreateFeature } from "../../context/feature.ts";
import { toPart } from "../../platform/ops/lifecycle.ts";
import type { Rates } from "../../platform/rates/rates.ts";
import { createResourceFeature } from "../../platform/socket/socketFeature.ts";
import { createCheckDomain, createDomainChecks } from "./checkDomain.ts";
import { domainsResource } from "./domainQueries.ts";
import { domainRoutes } from "./domainRoutes.ts";
import { createNewMaskRecipients } from "./newMaskRecipients.ts";
import { createCheckSubdomainName, reportReservedSubdomains } from "./subdomainNames.ts";
import { createUserDomains } from "./userDomains.ts";

/** The most masks of a domain that mail of one IPv4 address or /64 makes in a day, so that others can make some too. */
export const madePerDayOfNetwork = maxMadePerDay / 4;

const allowance = { burst: madePerDayOfNetwork, perSecond: madePerDayOfNetwork / (dayMs / 1_000) };

/** The most pairs of a domain and a network that are counted. */
const maxPairs = 20_000;

/** Creates the count of masks that mail makes, by domain and network; returns whether one more is within the share. */
const createNewMaskShare = (rates: Rates): ((domain: string, network: string) => boolean) => {
  const buckets = rates.buckets("masks created by mail", maxPairs);
  return (domain, network) => {
    const key = `${domain} ${network}`;
    if (buckets.left(key, allowance) < 1) return false;
    buckets.take(key, allowance, 1);
    return true;
  };
};

/** The domains and sub-domains of users. */
export const domainsFeature: CreateFeature = (context) => {
  const { config, database, log } = context;
  const { maskDomain } = config;
  const names = { maskDomain, hosts: [new URL(config.publicUrl).hostname, config.smtpHost] };
  const checkDomain = createCheckDomain({ ...context, options: { maskDomain } });
  return {
    routes: [
      domainRoutes(
        context,
        createUserDomains(context, {
          checkDomain,
          checkSubdomainName: createCheckSubdomainName(context, names),
        }),
      ),
    ],
    mail: {
      recipients: [
        createNewMaskRecipients({
          masksByMail: context.masksByMail,
          findMask: context.masks.findMask,
          mayMakeMask: createNewMaskShare(context.rates),
          masks: context.masks.recipients,
        }),
      ],
    },
    socket: [createResourceFeature(domainsResource)],
    jobs: [
      { name: "subdomains", start: () => reportReservedSubdomains(database, names, log), stop: () => {} },
      toPart("domains", createDomainChecks({ ...context, checkDomain }).start),
    ],
  };
};
