import * as E from "fp-ts/lib/Either.js";
import { firstValueFrom, timer } from "rxjs";
import { type Failure, network, refused } from "../../../../core/kernel/failure.ts";
import type { Clock } from "../../../../core/ports/clock.ts";
import { mergeRules } from "../../../../core/rules/model/mergeRules.ts";
import type { Rule } from "../../../../core/rules/model/rule.ts";
import type { VersionedRules } from "../../../../core/rules/sync/pendingRecord.ts";
import type { RulePush, SendRules } from "../../../../core/rules/sync/pushRules.ts";

/** The result of a write: `lost` and `503 after` are saved, but the sender does not learn of it. */
export type Fate = "answered" | "unreached" | "lost" | "503 before" | "503 after" | "400" | "never";

export interface RuleServer {
  readonly send: SendRules;
  readonly read: (maskId: string) => VersionedRules;
  /** Saves a list as another client does. */
  readonly put: (maskId: string, rules: readonly Rule[]) => void;
  readonly arrived: readonly RulePush[];
  /** Returns the result of the next write. */
  fate: () => Fate;
}

const answerMs = 100;

/** Stores every version of every list, serializes writes, merges them, and processes each write id once (D43). */
export const createRuleServer = (clock: Clock): RuleServer => {
  const versions = new Map<string, readonly Rule[]>();
  const current = new Map<string, VersionedRules>();
  const answers = new Map<string, VersionedRules>();
  const arrived: RulePush[] = [];
  const read = (maskId: string): VersionedRules => current.get(maskId) ?? { etag: "v0", rules: [] };
  const put = (maskId: string, rules: readonly Rule[]): VersionedRules => {
    const known = { etag: `v${versions.size + 1}`, rules };
    versions.set(known.etag, rules);
    current.set(maskId, known);
    return known;
  };
  const commit = ({ maskId, etag, rules, requestId }: RulePush): VersionedRules => {
    const before = answers.get(requestId);
    if (before) return before;
    const base = versions.get(etag ?? "") ?? [];
    const answer = put(maskId, mergeRules(base, rules, read(maskId).rules));
    answers.set(requestId, answer);
    return answer;
  };
  const decided = (push: RulePush, fate: Fate): E.Either<Failure, VersionedRules> => {
    if (fate === "unreached") return E.left(network("Failed to fetch"));
    if (fate === "503 before") return E.left(refused(503));
    if (fate === "400") return E.left(refused(400, "A mask can have at most 100 rules."));
    const answer = commit(push);
    if (fate === "lost") return E.left(network("Network Error"));
    return fate === "503 after" ? E.left(refused(503)) : E.right(answer);
  };
  const server: RuleServer = {
    fate: () => "answered",
    arrived,
    read,
    put,
    send: (push) => () => {
      arrived.push(push);
      const fate = server.fate();
      if (fate === "never") return new Promise(() => {});
      const result = decided(push, fate);
      return firstValueFrom(timer(answerMs, clock.scheduler)).then(() => result);
    },
  };
  return server;
};
