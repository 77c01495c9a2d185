import { roleOf } from "../../../core/domains/domain.ts";
import {
  isFeedbackAddress,
  isPostmaster,
  isReportAddress,
  isReverseAddress,
  parseReturnPath,
} from "../../delivery/serviceAddresses.ts";

const isOwn = (localPart: string): boolean =>
  isPostmaster(localPart) ||
  isReportAddress(localPart) ||
  isFeedbackAddress(localPart) ||
  parseReturnPath(localPart) !== null ||
  isReverseAddress(localPart) ||
  roleOf(localPart) !== null;

/**
 * True if a local part at the installation's domain, in any case and with any tag, is the installation's own: mail leaves from it
 * or comes back to it, others take it for the operator's, or a certificate authority takes an answer from it as proof of the
 * domain.
 */
export const isOwnName = (localPart: string): boolean =>
  isOwn(localPart) || isOwn(localPart.split("+", 1)[0] ?? "");
