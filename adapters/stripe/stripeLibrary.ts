import type { Stripe } from "@stripe/stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure/index.js";

/** What of the browser's policy for addresses of scripts this needs (W3C Trusted Types). */
interface TrustedTypes {
  readonly defaultPolicy: unknown;
  readonly createPolicy: (
    name: "default",
    rules: { readonly createScriptURL: (address: string) => string | null },
  ) => unknown;
}

/** Where Stripe says its scripts come from (docs.stripe.com/security/guide). */
const isStripes = (address: string): boolean =>
  /^https:\/\/(?:[\w-]+\.)*js\.stripe\.com$/.test(URL.canParse(address) ? new URL(address).origin : "");

/**
 * Stripe's loader writes the address of its script as text. The page's policy lets no text become a script but by
 * this: an address of Stripe's.
 */
const trustStripe = (): void => {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  if (!trustedTypes || trustedTypes.defaultPolicy) return;
  trustedTypes.createPolicy("default", {
    createScriptURL: (address) => (isStripes(address) ? address : null),
  });
};

const made = new Map<string, Stripe>();

/** Stripe for a public key; rejects when its script cannot be had. In a module of its own, fetched late. */
export const stripeOf = async (publishableKey: string): Promise<Stripe> => {
  const known = made.get(publishableKey);
  if (known) return known;
  trustStripe();
  const stripe = await loadStripe(publishableKey);
  if (stripe === null) throw new Error("there is no page for Stripe's script");
  made.set(publishableKey, stripe);
  return stripe;
};
