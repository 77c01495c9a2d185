import type { Clock } from "../core/ports/clock.ts";
import type { Random } from "../core/ports/random.ts";
import { createDigest } from "./delivery/digest.ts";
import type { SystemMailSender } from "./delivery/systemMail.ts";
import { createHeldLinks } from "./held/heldLinks.ts";
import { createHeldNotices } from "./held/heldNotice.ts";
import { createEncryptToOwner, type FindEncryption } from "./mail/encryptCopies.ts";
import type { IntervalTask } from "./ops/interval.ts";
import { createKeyedHash } from "./ops/keyedHash.ts";
import type { Log } from "./ops/log.ts";
import type { Seal, Secrets } from "./ops/secrets.ts";
import type { Database } from "./store/database.ts";

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
