import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import type { SystemMailSender } from "../delivery/systemMail/systemMail.ts";
import { createDigest } from "../features/digest/digest.ts";
import { createHeldLinks } from "../features/held/heldLinks.ts";
import { createHeldNotices } from "../features/held/heldNotice.ts";
import type { IntervalTask } from "../platform/ops/interval.ts";
import { createKeyedHash } from "../platform/ops/keyedHash.ts";
import type { Log } from "../platform/ops/log.ts";
import type { Seal, Secrets } from "../platform/ops/secrets.ts";
import type { Database } from "../platform/store/database.ts";
import { createEncryptToOwner, type FindEncryption } from "../relay/encrypt/encryptCopies.ts";

export interface RegularMailsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly secrets: Secrets;
  readonly seal: Seal;
  readonly sender: SystemMailSender;
  readonly findEncryption: FindEncryption;
  /** Called after mails were queued, so that delivery can be woken. */
  readonly onQueued: () => void;
}

/** The jobs that mail owners what has collected: their digests every hour, and notices of held mail every day. */
export const createRegularMails = (
  deps: RegularMailsDeps,
): { readonly digest: IntervalTask; readonly heldNotices: IntervalTask } => ({
  digest: createDigest(deps),
  heldNotices: createHeldNotices({
    ...deps,
    links: createHeldLinks(createKeyedHash(deps.secrets.hashing), deps.sender.publicUrl),
    encryptToOwner: createEncryptToOwner(deps.findEncryption),
  }),
});
