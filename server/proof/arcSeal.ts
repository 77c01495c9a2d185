import type { HeaderField } from "../mime/headerBlock.ts";
import { isResultsOf } from "./authenticationResults.ts";
import { fieldText, foldText, relaxField } from "./canonicalHeader.ts";
import type { SigningKey } from "./dkimKeys.ts";
import { type Signable, signText, writeSignature } from "./signature.ts";

/** The fields of an ARC set, in the order in which a seal covers them (RFC 8617, 5.1.1). */
const setFields = ["arc-authentication-results", "arc-message-signature", "arc-seal"];

const maxInstance = 50;

const instanceOf = (text: string): number =>
  Number(/^[^:]+:(?:[^;]*;)*?\s*i\s*=\s*(\d{1,2})\s*(?:;|$)/s.exec(text)?.[1] ?? Number.NaN);

/** null when they are no complete chain. */
const earlierSets = ({ content, header }: Signable): readonly string[] | null => {
  const fields = header.fields
    .filter(({ name }) => setFields.includes(name))
    .map((field: HeaderField) => ({ name: field.name, text: fieldText(content, field) }));
  const count = fields.length / setFields.length;
  const sets: string[] = [];
  for (let instance = 1; instance <= count; instance += 1)
    for (const name of setFields) {
      const found = fields.filter((field) => field.name === name && instanceOf(field.text) === instance);
      const [only] = found;
      if (found.length !== 1 || !only) return null;
      sets.push(`${relaxField(only.text)}\r\n`);
    }
  return Number.isInteger(count) && count < maxInstance ? sets : null;
};

/** null when there is nothing worth sealing. */
const statedResults = ({ content, header, domain }: Signable): string | null => {
  const field = header.fields.find((one) => isResultsOf(content, one, domain));
  if (!field) return null;
  const text = fieldText(content, field);
  return /\b(?:spf|dkim|dmarc|arc)=pass\b/.test(text) ? text.slice(text.indexOf(":") + 1).trim() : null;
};

/**
 * Writes an ARC set (RFC 8617, 5.1), newest field first, so that the receiver sees the sender checks of this
 * server. Empty for unauthenticated mail and for a broken chain.
 */
export const sealFields = async (signable: Signable, key: SigningKey): Promise<string> => {
  const results = statedResults(signable);
  const earlier = results === null ? null : earlierSets(signable);
  if (results === null || earlier === null || /\barc=fail\b/.test(results)) return "";
  const { domain, time } = signable;
  const instance = earlier.length / setFields.length + 1;
  const stated = `ARC-Authentication-Results: i=${instance}; ${results}\r\n`;
  const signature = await writeSignature(signable, key, instance);
  const validation = instance === 1 ? "none" : "pass";
  const seal = `ARC-Seal: i=${instance}; a=${key.algorithm}; cv=${validation}; d=${domain}; s=${key.selector};\r\n t=${time}; b=`;
  const text = [...earlier, relaxField(stated), "\r\n", relaxField(signature), "\r\n", relaxField(seal)].join(
    "",
  );
  return `${seal}${foldText(await signText(text, key))}\r\n${signature}${stated}`;
};
