import type { Generated } from "kysely";
import type { DomainName } from "../../../core/mail/domainName.ts";
import type { Flag, Time } from "../../platform/store/tables.ts";

/** A key for one program of a user, which calls the API in place of a session. */
export interface ApiTokensTable {
  id: string;
  user_id: string;
  name: string;
  /** Keyed hash of the token; unique. */
  hash: string;
  /** The scopes, with a space between two. */
  scopes: string;
  domain: DomainName | null;
  created_at: Time;
  expires_at: Time | null;
  /** True once the user was notified that it ends soon. */
  end_noticed: Generated<Flag>;
  /** To within a minute; null before the first use. */
  last_used_at: Time | null;
  /** The network of the last use. */
  last_network: string | null;
}

/** A network that an API token was used from, of which its user was told. */
export interface ApiTokenNetworksTable {
  token_id: string;
  network: string;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    api_tokens: ApiTokensTable;
    api_token_networks: ApiTokenNetworksTable;
  }
}
