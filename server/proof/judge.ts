import { domainOf } from "../../core/mail/emailAddress.ts";
import { readHeaderBlock } from "../mime/headerBlock.ts";
import { createMailLookup, type LookUpDns, type MailLookup } from "../platform/dns/dnsCache.ts";
import { DnsError } from "../platform/dns/dnsClient.ts";
import { isPublicAddress } from "../platform/dns/networkRanges.ts";
import { registrableDomain } from "../platform/dns/registrableDomain.ts";
import { networkOf } from "../platform/ops/networkOf.ts";
import { headerLength, maxSignatureBytes } from "./checkedHeader.ts";
import { type DmarcPolicy, type Evidence, type SenderEnvelope, unjudged } from "./evidence.ts";
import type { JudgeOptions } from "./judgeSender.ts";
import { compactTag, signatureTags } from "./tagList.ts";
import { createFairGate, type Share } from "./threads/fairGate.ts";
import type { JudgeTask } from "./threads/judgeMessages.ts";
import { JudgeThreads, type JudgeThreadsOptions } from "./threads/judgeThreads.ts";

/** A mail whose sender is checked. */
export interface MailToJudge {
  /** The first bytes: all of a small mail, and more than the largest header of others. */
  readonly head: Buffer;
  readonly size: number;
  /** Returns the whole mail; called when DNS has answered, because few large mails may be in memory. */
  readonly readAll: () => Promise<Buffer>;
}

/**
 * Checks a mail's sender in another thread, within 10 s and the time until `readAll` returns. Never rejects; a failed check
 * counts against the mail only where the policy of its domain matters or is unknown.
 */
export type Judge = (mail: MailToJudge, envelope: SenderEnvelope) => Promise<Evidence>;

/** The threads of the check: a few large mails do not keep the small ones waiting. */
export interface JudgePools {
  readonly small: JudgeThreads;
  readonly large: JudgeThreads;
  readonly stop: () => Promise<void>;
}

export interface JudgePoolsOptions {
  readonly options: JudgeOptions;
  /** The module of the threads. */
  readonly module?: URL;
  /** Other limits of time than those for a mail's size. */
  readonly limits?: Pick<JudgeThreadsOptions, "stepMs" | "totalMs">;
}

export interface JudgeDeps {
  readonly options: Pick<JudgeOptions, "judgesPrivate">;
  readonly pools: Pick<JudgePools, "small" | "large">;
  readonly lookUp: LookUpDns;
}

/** Mails from this size on have threads of their own: to hash one takes up to a second. */
const largeBytes = 256 * 1024;
const totalMs = 10_000;
const largeStepMs = 5_000;
const smallStepMs = 2_000;

/** Shares of the checks at the same time, most of which wait for DNS. */
const gateOptions = { total: 256, maxWaiting: 2_000, maxWaitMs: 30_000 };
const networkLimit = 64;
const domainLimit = 16;
const maxSigners = 4;

/** The domains in whose name a mail is sent and signed, each of which may have name servers that do not answer. */
const sharesOf = (head: Buffer, { sender, remoteAddress }: SenderEnvelope): readonly Share[] => {
  const signers = (readHeaderBlock(head)?.fields ?? [])
    .filter(({ name, valueStart, end }) => name === "dkim-signature" && end - valueStart <= maxSignatureBytes)
    .slice(0, maxSigners)
    .map(({ start, end }) => compactTag(signatureTags(head.toString("latin1", start, end)), "d"));
  const domains = [domainOf(sender), ...signers].filter((domain) => domain !== "" && domain.length < 256);
  return [
    { of: `network ${networkOf(remoteAddress)}`, limit: networkLimit },
    ...[...new Set(domains.map(registrableDomain))].map((of) => ({ of, limit: domainLimit })),
  ];
};

/** Remembers the answers for a mail; once it is closed, only these. */
const createRememberedLookup = (lookup: MailLookup) => {
  const answers = new Map<string, ReturnType<MailLookup>>();
  let isClosed = false;
  return {
    lookup: async (name: string, type: string) => {
      const key = `${type} ${name.toLowerCase()}`;
      const known = answers.get(key);
      if (known) return known;
      if (isClosed) throw new DnsError("ETIMEOUT", name);
      const answer = lookup(name, type);
      answers.set(key, answer);
      return answer;
    },
    close: () => {
      isClosed = true;
    },
  };
};

/** Creates the threads of the check; each starts when it is needed first. */
export const createJudgePools = ({ options, module, limits }: JudgePoolsOptions): JudgePools => {
  const common: Omit<JudgeThreadsOptions, "stepMs" | "totalMs"> = {
    module: module ?? new URL("./threads/judgeThread.ts", import.meta.url),
    options,
    maxThreads: 2,
  };
  const small = new JudgeThreads({ ...common, ...(limits ?? { stepMs: smallStepMs, totalMs }) });
  const large = new JudgeThreads({ ...common, ...(limits ?? { stepMs: largeStepMs, totalMs }) });
  return {
    small,
    large,
    stop: async () => {
      await small.stop();
      await large.stop();
    },
  };
};

/**
 * Creates the check of senders. DNS is asked by this thread with its cache, and before a large mail is read: while a name
 * server is silent, neither a thread nor the memory for a large mail is held.
 */
export const createJudge = ({ options, pools, lookUp }: JudgeDeps): Judge => {
  const { small, large } = pools;
  const gate = createFairGate(gateOptions);

  const isPublic = ({ remoteAddress }: SenderEnvelope): boolean =>
    remoteAddress !== null && (options.judgesPrivate || isPublicAddress(remoteAddress));

  return async ({ head, size, readAll }, envelope) => {
    let policy: DmarcPolicy | null = isPublic(envelope) ? null : "none";
    const giveUp = (): Evidence => unjudged(policy);
    const remembered = createRememberedLookup(createMailLookup(lookUp));
    const run = (what: JudgeTask["what"], content: Buffer): Promise<Evidence | null> =>
      (content.length < largeBytes ? small : large).run(
        { what, content, envelope },
        {
          lookup: remembered.lookup,
          onPolicy: (found) => {
            if (isPublic(envelope)) policy = found;
          },
        },
      );
    let leave = (): void => {};
    try {
      leave = await gate.enter(sharesOf(head, envelope));
      if (head.length === size && size < largeBytes) return (await run("judgement", head)) ?? giveUp();
      await run("questions", head.subarray(0, headerLength(head)));
      leave();
      leave = () => {};
      remembered.close();
      return (await run("judgement", await readAll())) ?? giveUp();
    } catch {
      return giveUp();
    } finally {
      leave();
    }
  };
};
