import { type DomainName, toDomainName } from "../../core/mail/domainName.ts";

/** Returns a domain that a test names; throws for text that is none. */
export const named = (text: string): DomainName => {
  const name = toDomainName(text);
  if (name === null) throw new Error(`${JSON.stringify(text)} is no domain`);
  return name;
};
