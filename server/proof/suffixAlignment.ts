import { registrableDomain } from "../platform/dns/registrableDomain.ts";
import type { Results } from "./checkResults.ts";

type Dmarc = Exclude<Results["dmarc"], false>;

/** The record says that its domain is an organization of its own, or a suffix of others (RFC 9989, 4.7). */
const namesOrganization = ({ rr = "" }: Dmarc): boolean => /(?:^|;)\s*psd\s*=\s*[ny]\s*(?:;|$)/.test(rr);

/** True if a domain is above the author's, up to what its owner has registered. */
const isAbove = (domain: string, author: string): boolean =>
  author.endsWith(`.${domain}`) && registrableDomain(domain) === registrableDomain(author);

/**
 * Passes DMARC, in relaxed alignment, for a domain above that in From which the tree walk does not find because it
 * publishes no record: the public suffix list tells that both belong to one owner (RFC 7489, 3.2).
 */
export const alignBySuffix = (result: Results): Results => {
  const { dmarc, spf, dkim } = result;
  if (dmarc === false || dmarc.status.result !== "fail" || !dmarc.alignment || namesOrganization(dmarc))
    return result;
  const author = String(dmarc.status.header?.from ?? "").toLowerCase();
  const { alignment } = dmarc;
  const bySpf = spf && spf.status.result === "pass" ? spf.domain.toLowerCase() : "";
  const signers = dkim.results
    .filter(({ status }) => status.result === "pass")
    .map(({ signingDomain }) => String(signingDomain ?? "").toLowerCase());
  const spfDomain = !alignment.spf.strict && isAbove(bySpf, author) ? bySpf : undefined;
  const dkimDomain = alignment.dkim.strict ? undefined : signers.find((one) => isAbove(one, author));
  if (spfDomain === undefined && dkimDomain === undefined) return result;
  return {
    ...result,
    dmarc: {
      ...dmarc,
      status: { ...dmarc.status, result: "pass" },
      alignment: {
        spf: { ...alignment.spf, ...(spfDomain === undefined ? {} : { result: spfDomain }) },
        dkim: { ...alignment.dkim, ...(dkimDomain === undefined ? {} : { result: dkimDomain }) },
      },
    },
  };
};
