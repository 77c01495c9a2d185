import { isHostName } from "../../../core/masks/madeFor.ts";
import { registrableDomain } from "../../platform/dns/registrableDomain.ts";
import { fieldError } from "../../platform/errors/useCaseError.ts";

/**
 * Names the site of a mask by the domain that its owner registers, so that all parts of a site are the same one. Throws a
 * 400 for what is no host name.
 */
export const withRegistrableSite = <A extends { readonly madeFor?: string }>(mask: A): A => {
  if (!mask.madeFor) return mask;
  if (!isHostName(mask.madeFor)) throw fieldError("invalid", "madeFor", "Enter a site such as shop.example");
  return { ...mask, madeFor: registrableDomain(mask.madeFor) };
};
