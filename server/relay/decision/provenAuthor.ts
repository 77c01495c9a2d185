import { domainOf } from "../../../core/mail/emailAddress.ts";
import type { Sender } from "../../../core/mail/forwardedFrom.ts";
import type { Evidence } from "../../proof/evidence.ts";

const isSameOrSubdomain = (one: string, other: string): boolean =>
  one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);

const domainIn = (address: string): string => domainOf(address).toLowerCase();

/** True if the checks prove the domain of the author that the mail names. */
export const isProvenAuthor = (
  { proof, authorDomain }: Pick<Evidence, "proof" | "authorDomain">,
  sender: Sender | null,
): boolean => proof === "proven" && sender !== null && domainIn(sender.address) === authorDomain;

/**
 * True if the envelope sender itself is proven, so that mail may go to it: by SPF, or because it belongs to the domain that
 * signed.
 */
export const isProvenEnvelope = (
  evidence: Pick<Evidence, "proof" | "authorDomain" | "alignedBy">,
  envelopeSender: string,
  sender: Sender | null,
): boolean =>
  isProvenAuthor(evidence, sender) &&
  (evidence.alignedBy.includes("spf") ||
    (evidence.alignedBy.includes("dkim") &&
      isSameOrSubdomain(domainIn(envelopeSender), domainIn(sender?.address ?? ""))));
