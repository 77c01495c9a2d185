import type { CreateFeature } from "../../context/feature.ts";
import { toPart } from "../../platform/ops/lifecycle.ts";
import { createResourceFeature } from "../../platform/socket/socketFeature.ts";
import { createCheckDomain, createDomainChecks } from "./checkDomain.ts";
import { domainsResource } from "./domainQueries.ts";
import { domainRoutes } from "./domainRoutes.ts";
import { createNewMaskRecipients } from "./newMaskRecipients.ts";
import { createNewMaskShare } from "./newMaskShare.ts";
import { createCheckSubdomainName, reportReservedSubdomains } from "./subdomainNames.ts";
import { createUserDomains } from "./userDomains.ts";

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
