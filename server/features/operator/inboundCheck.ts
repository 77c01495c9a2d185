import { type Check, ok, problem } from "./check.ts";

const title = "mail in by HTTP";
const leastLength = 32;
/** Random letters and digits have more different ones. */
const leastDifferent = 10;
const ordinaryWord = /secret|passw|bauta|inbound|test|mail/i;

/** Says why somebody may guess a secret; null where nobody does. */
const weaknessOf = (secret: string): string | null => {
  if (secret.length < leastLength) return "the secret is too short";
  return new Set(secret).size < leastDifferent || ordinaryWord.test(secret)
    ? "the secret can be guessed"
    : null;
};

/** Checks whether only the service can hand mail over. */
export const checkInbound = (secret: string, publicUrl: string): Check => {
  if (!publicUrl.startsWith("https:"))
    return problem(title, "PUBLIC_URL is not https", "Set up HTTPS: on the way, anybody reads the secret");
  const weakness = weaknessOf(secret);
  return weakness === null
    ? ok(title, `at ${publicUrl}/inbound/…`)
    : problem(title, weakness, "Set INBOUND_SECRET to what openssl rand -hex 32 prints");
};
