import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { domainName } from "../mail/domainName.ts";
import { Domain, DomainChange, OwnDomainName, SubdomainLabel } from "./domain.ts";

/** The id of a domain in the path; 404 when the user has none with this id. */
const params = t.type({ id: t.string });

/** The domains of a user, and what else they may add. */
export const DomainList = t.type({
  /** By name. */
  domains: t.readonlyArray(Domain),
  /** The number of domains of their own that the user may still add. */
  ownLeft: t.number,
  /** The number of sub-domains of `under` that the user may still claim. */
  subdomainsLeft: t.number,
  under: domainName("a domain"),
});
export type DomainList = t.TypeOf<typeof DomainList>;

/** Lists the user's domains with the results of their last checks. Extends the contract. */
export const listDomains = endpoint("GET", "/domains", { tokens: "masks:read", answer: DomainList });

/**
 * Adds a domain of one's own (`name`), which takes no mail before its proof, or claims a sub-domain of the installation
 * (`label`), which takes mail at once. 409 for a domain that another account has proven, and for a claimed name;
 * 503 when DNS does not say whether the name is free.
 */
export const postDomain = endpoint("POST", "/domains", {
  status: 201,
  body: t.partial({ name: OwnDomainName, label: SubdomainLabel }),
  answer: Domain,
});

/** Changes how a domain takes mail for addresses without a mask. */
export const patchDomain = endpoint("PATCH", "/domains/:id", {
  tokens: "masks:write",
  params,
  body: DomainChange,
  answer: Domain,
});

/** Asks DNS for the records of a domain; answers of the last seconds are used again. */
export const checkDomain = endpoint("POST", "/domains/:id/check", { params, answer: Domain });

/** Removes a domain; its masks go to the trash. A sub-domain stays reserved for the account. */
export const deleteDomain = endpoint("DELETE", "/domains/:id", { params });
