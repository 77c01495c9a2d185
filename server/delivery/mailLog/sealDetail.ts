import { domainOf } from "../../../core/mail/emailAddress.ts";
import type { LogMode, StepDetail } from "../../../core/mailLog/logEntry.ts";
import type { Engine } from "../../platform/store/engine.ts";
import type { WorkerPool } from "../../platform/workers/workerPool.ts";
import type { StoredDetail } from "./logQueries.ts";

/** Content to encrypt to a key in a worker thread; null when the key cannot be used. */
export type SealingPool = WorkerPool<
  { readonly content: Uint8Array; readonly publicKey: string; readonly boundary: null },
  Uint8Array | null
>;

/** Encrypts what the log keeps to the key of its owner's account; of an owner without a key it stays as it is. */
export type SealDetail = (userId: string, detail: object) => Promise<StoredDetail>;

/** The query of the key of an account. */
export const findAccountKey = "select public_key from public_keys where user_id = $1";

/** A detail that cannot be encrypted is left out: it is never stored in clear text instead. */
const lost: StoredDetail = { text: null, isSealed: false };

/** Creates the function that encrypts details in worker threads; null where there are none, for owners without a key. */
export const createSealDetail =
  (engine: Pick<Engine, "readCached">, pool: Pick<SealingPool, "run"> | null): SealDetail =>
  async (userId, detail) => {
    const text = JSON.stringify(detail);
    try {
      const [key] = await engine.readCached<{ public_key: string }>(findAccountKey, [userId]);
      if (!key) return { text, isSealed: false };
      const task = { content: Buffer.from(text), publicKey: key.public_key, boundary: null };
      const sealed = await pool?.run(task, userId);
      return sealed ? { text: Buffer.from(sealed).toString("base64"), isSealed: true } : lost;
    } catch {
      return lost;
    }
  };

/** A copy of a logged mail. */
export interface LoggedCopy {
  readonly userId: string | null;
  readonly recipient: string;
  /** True if its recipient is a correspondent of the user, and not the user. */
  readonly isSent: boolean;
}

/** Prepares what the log says about an attempt to deliver a copy. Never rejects. */
export type PrepareStep = (copy: LoggedCopy, answer: string) => Promise<StoredDetail>;

const findMode = "select mail_log from users where id = $1";

/**
 * Creates the function that encrypts where a copy went and what the server there answered; of correspondents it keeps
 * what the owner wants.
 */
export const createPrepareStep =
  (engine: Pick<Engine, "readCached">, seal: SealDetail): PrepareStep =>
  async ({ userId, recipient, isSent }, answer) => {
    try {
      const [user] = isSent ? await engine.readCached<{ mail_log: LogMode }>(findMode, [userId]) : [];
      const to = isSent && user?.mail_log !== "address" ? domainOf(recipient).toLowerCase() : recipient;
      const detail: StepDetail = { to, answer };
      return await seal(userId ?? "", detail);
    } catch {
      return lost;
    }
  };
