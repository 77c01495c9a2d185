import type { Stripe } from "@stripe/stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure/index.js";

/** Checks whether Stripe serves its scripts from an address (docs.stripe.com/security/guide). */
const isStripeScript = (address: string): boolean =>
  /^https:\/\/(?:[\w-]+\.)*js\.stripe\.com$/.test(URL.canParse(address) ? new URL(address).origin : "");

/** Allows script addresses of Stripe, which its loader sets as text; the Trusted Types policy forbids all others. */
const allowStripeScripts = (): void => {
  const trustedTypes = globalThis.window?.trustedTypes;
  if (!trustedTypes || trustedTypes.defaultPolicy) return;
  trustedTypes.createPolicy("default", {
    createScriptURL: (address: string) => (isStripeScript(address) ? address : null),
  });
};

const loadedByKey = new Map<string, Stripe>();

/** Loads Stripe for a publishable key; rejects when its script cannot be loaded. */
export const loadStripeFor = async (publishableKey: string): Promise<Stripe> => {
  const loaded = loadedByKey.get(publishableKey);
  if (loaded) return loaded;
  allowStripeScripts();
  const stripe = await loadStripe(publishableKey);
  if (stripe === null) throw new Error("Stripe's script needs a page to load");
  loadedByKey.set(publishableKey, stripe);
  return stripe;
};
