import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { emailAddress } from "../mail/emailAddress.ts";

/** An address that mail of a user's masks goes to, or went to (D33). */
export const Destination = t.type({
  email: t.string,
  status: t.union([t.literal("confirmed"), t.literal("awaiting-confirmation")]),
  /** The number of masks that forward to it; rules that do are not counted. */
  masks: t.number,
});
export type Destination = t.TypeOf<typeof Destination>;

/** Lists the user's destinations, oldest first. Extends the contract. */
export const listDestinations = endpoint("GET", "/destinations", {
  answer: t.type({ destinations: t.array(Destination) }),
});

/** Adds a destination or sends its confirmation again; `confirmationSent` is false if not needed or too recent. */
export const postDestination = endpoint("POST", "/destinations", {
  body: t.type({
    email: emailAddress({
      required: "Please enter a valid email address",
      invalid: "Please enter a valid email address",
    }),
  }),
  answer: t.intersection([Destination, t.type({ confirmationSent: t.boolean })]),
});
