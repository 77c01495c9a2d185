import type { MailLookup } from "../../platform/dns/dnsCache.ts";
import type { DnsError } from "../../platform/dns/dnsClient.ts";
import type { DmarcPolicy, Evidence, SenderEnvelope } from "../evidence.ts";
import type { JudgeOptions } from "../judgeSender.ts";

/** The data that a thread that judges mail starts with. */
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

/** A DNS query of a thread, with its number for a mail. */
export interface DnsQuestion {
  readonly question: number;
  readonly name: string;
  readonly type: string;
}

/** The answer to a query: its data, or why there is none. */
export interface DnsReply {
  readonly question: number;
  readonly result: Awaited<ReturnType<MailLookup>> | DnsError["code"];
}

/** The messages to a thread; the thread knows a mail by its id, and queries and answers of one turn share a message. */
export type ToJudgeThread =
  | ({ readonly kind: "start"; readonly id: number } & JudgeTask)
  | { readonly kind: "answers"; readonly id: number; readonly answers: readonly DnsReply[] };

/** The messages of a thread. */
export type FromJudgeThread =
  | { readonly kind: "ask"; readonly id: number; readonly questions: readonly DnsQuestion[] }
  /** Null where DNS did not answer. */
  | { readonly kind: "policy"; readonly id: number; readonly policy: DmarcPolicy | null }
  /** Null for a task that only asks. */
  | { readonly kind: "done"; readonly id: number; readonly evidence: Evidence | null }
  | { readonly kind: "failed"; readonly id: number };
