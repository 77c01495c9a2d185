import { findDefaultSignatures } from "./defaultSignatures.ts";
import { unwrapLinks } from "./replyLinks.ts";

/** Matches what programs add to links in plain text: the same address again, parts of the HTML, and paths of the machine. */
const addedToText = /\[cid:[^\]\s]{1,300}\]|<file:[^>\r\n]{0,1000}>|(?<=\S)<(?:mailto|tel):[^>\s]{0,1000}>/gi;

/**
 * Writes a plain text for others, in linear time: without default signatures, with links that lead to what is behind
 * the checks of a provider, and with everything replaced that must not be revealed.
 */
export const rewritePlainText = (text: string, replace: (text: string) => string): string => {
  const lines = unwrapLinks(text).replaceAll(addedToText, "").split("\n");
  const signatures = findDefaultSignatures(lines);
  return replace(lines.filter((_line, n) => !signatures.has(n)).join("\n"));
};
