import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";

/** An identity at a provider (OIDC) that the account is connected with. Times are ISO 8601. */
const Identity = t.type({
  id: t.string,
  /** The name of the provider, or the host of one that the server no longer uses. */
  provider: t.string,
  /** The address that the provider names; may be empty. */
  email: t.string,
  connectedAt: t.string,
  lastUsedAt: t.string,
});
export type Identity = t.TypeOf<typeof Identity>;

/** Lists the identities that the caller can sign in with. A server may lack this endpoint. */
export const listIdentities = endpoint("GET", "/account/identities", {
  answer: t.type({ identities: t.array(Identity) }),
});

/** Disconnects an identity and ends the other sessions that it began; 404 when the caller has none with this id. */
export const removeIdentity = endpoint("DELETE", "/account/identities/:id", {
  needsRecentProof: true,
  params: t.type({ id: t.string }),
});
