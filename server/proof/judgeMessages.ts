import type { MailLookup } from "../dns/dnsCache.ts";
import type { DnsError } from "../dns/dnsClient.ts";
import type { DmarcPolicy, Evidence, SenderEnvelope } from "./evidence.ts";
import type { JudgeOptions } from "./judgeSender.ts";

/** What a thread that judges mail starts with. */
export interface JudgeThreadData {
  readonly options: JudgeOptions;
  /** Two 32-bit integers: the id of the mail that the thread works on, 0 for none, and the number of its steps. */
  readonly progress: SharedArrayBuffer;
}

/** One mail for a thread: to ask DNS what its header needs, or to be judged. */
export interface JudgeTask {
  readonly what: "questions" | "judgement";
  readonly content: Uint8Array;
  readonly envelope: SenderEnvelope;
}

/** The messages to a thread; the thread knows a mail by its id, and a query by its number. */
export type ToJudgeThread =
  | ({ readonly kind: "start"; readonly id: number } & JudgeTask)
  | {
      readonly kind: "answer";
      readonly id: number;
      readonly question: number;
      readonly data: Awaited<ReturnType<MailLookup>>;
    }
  | {
      readonly kind: "no-answer";
      readonly id: number;
      readonly question: number;
      readonly code: DnsError["code"];
      readonly name: string;
    };

/** The messages of a thread. */
export type FromJudgeThread =
  | {
      readonly kind: "ask";
      readonly id: number;
      readonly question: number;
      readonly name: string;
      readonly type: string;
    }
  /** Null where DNS did not answer. */
  | { readonly kind: "policy"; readonly id: number; readonly policy: DmarcPolicy | null }
  /** Null for a task that only asks. */
  | { readonly kind: "done"; readonly id: number; readonly evidence: Evidence | null }
  | { readonly kind: "failed"; readonly id: number };
