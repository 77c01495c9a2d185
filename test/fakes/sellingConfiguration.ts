import type { ClientConfiguration } from "../../core/api/configuration.ts";

/** The page configuration of a server that sells plans. */
export const sellingConfiguration: ClientConfiguration = {
  brand: "Bauta",
  maskDomain: "masks.example",
  flags: { payments: true },
  payments: {
    publishableKey: "pk_test_1",
    prices: { basic: "price_b", pro: "price_p", pro_premium: "price_x" },
  },
};
