import { roleOf } from "../../../core/domains/domain.ts";
import {
  isFeedbackAddress,
  isPostmaster,
  isReportAddress,
  parseReturnPath,
} from "../../delivery/ownAddresses.ts";
import { parseReverseLocalPart } from "../correspondents/reverseAddress.ts";

/**
 * Whether a local part at the installation's domain, in any case, is the installation's own: mail leaves from it or comes
 * back to it, others take it for the operator's, or a certificate authority takes an answer from it as proof of the domain.
 */
export const isOwnName = (localPart: string): boolean =>
  isPostmaster(localPart) ||
  isReportAddress(localPart) ||
  isFeedbackAddress(localPart) ||
  parseReturnPath(localPart) !== null ||
  parseReverseLocalPart(localPart) !== null ||
  roleOf(localPart) !== null;
