import type { Registry } from "@prometheus-io/client";
import { signOnProblems } from "../../../core/session/signIn/singleSignOn.ts";
import { createLabelledCounter } from "../../platform/metrics/labelledCounter.ts";

const outcomes = [...signOnProblems, "cancelled", "admitted", "logout", "logout-refused"] as const;
/** The outcome of a visit of the provider, or of its logout token. */
export type SignOnOutcome = (typeof outcomes)[number];

/** Creates the counter of what comes from the identity provider. */
export const measureSignOn = (registry: Registry) =>
  createLabelledCounter(registry, {
    name: "bauta_sign_on_total",
    help: "Answers of the identity provider: admitted, refused by reason, and its logout tokens.",
    label: "outcome",
    values: outcomes,
  });
