import type { Clock } from "../../core/ports/clock.ts";
import type { CompilePattern } from "../../core/ports/patterns.ts";
import type { Random } from "../../core/ports/random.ts";
import type { Provider } from "../billing/provider.ts";
import type { Config } from "../config/config.ts";
import type { Delivery } from "../delivery/delivery.ts";
import type { Log } from "../log.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { Secrets } from "../secrets.ts";
import type { Database } from "../store/database.ts";
import type { EventFeed } from "../store/events.ts";

/** What everything that answers over HTTP is made from. */
export interface SiteParts {
  readonly config: Pick<
    Config,
    | "brand"
    | "maskDomain"
    | "publicUrl"
    | "corsOrigins"
    | "trustedProxies"
    | "sentryDsn"
    | "telemetryEndpoint"
    | "devReloadOrigin"
    | "defaultTier"
    | "billing"
    | "aiModel"
  >;
  readonly secrets: Secrets;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly feed: EventFeed;
  readonly delivery: Pick<Delivery, "wake">;
  /** Who takes payments; null: nobody does (D38). */
  readonly provider: Provider | null;
  readonly patterns: () => Promise<CompilePattern>;
  /** Where the built page lies. */
  readonly pageFolder: string;
  /** null while mail leaves by a next hop: then there is no page that shows it, nor for an app that is public. */
  readonly outbox: Outbox | null;
  /** Which parts of the server are ready, by name. */
  readonly health: () => Promise<Readonly<Record<string, boolean>>>;
}
