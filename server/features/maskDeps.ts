import type { Clock } from "../../core/ports/clock.ts";
import type { CompilePattern } from "../../core/ports/patterns.ts";
import type { Random } from "../../core/ports/random.ts";
import type { Delivery } from "../delivery/delivery.ts";
import type { SystemMailSender } from "../delivery/systemMail/systemMail.ts";
import type { KeyedHash } from "../platform/ops/keyedHash.ts";
import type { Database } from "../platform/store/database.ts";
import type { EventFeed } from "../platform/store/events.ts";
import type { SenderLists } from "./senders/senderLists.ts";

/** The dependencies of the masks' use cases. */
export interface MaskDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly hash: KeyedHash;
  readonly senderLists: SenderLists;
  readonly sender: SystemMailSender;
  readonly feed: Pick<EventFeed, "wake">;
  readonly delivery: Pick<Delivery, "wake">;
  /** Loads the engine for regular expressions, only when a rule needs it. */
  readonly patterns: () => Promise<CompilePattern>;
}
