import { hourMs, minuteMs } from "../../../core/kernel/durations.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Random } from "../../../core/ports/random.ts";
import { smtpCodes } from "../smtpAnswer.ts";
import type { DeliveryOutcome } from "../transport.ts";

export interface DomainLimitsOptions {
  /** Mails in progress to one domain. */
  readonly maxInProgress: number;
  readonly perMinute: number;
  /** Mails, and bytes, in progress to all domains that have not answered lately. */
  readonly maxUnproven: number;
  readonly maxUnprovenBytes: number;
  readonly clock: Pick<Clock, "now">;
  readonly random: Pick<Random, "fraction">;
}

export interface DomainLimits {
  /** Sends a mail to a domain when it has room for it, otherwise postpones it. Never rejects. */
  readonly run: (
    domain: string,
    bytes: number,
    send: () => Promise<DeliveryOutcome>,
  ) => Promise<DeliveryOutcome>;
  /** How many domains have mail in progress, and how many do not answer. */
  readonly figures: () => { readonly sending: number; readonly failing: number };
}

interface Job {
  readonly bytes: number;
  /** Whether it takes a part of the room of domains that have not answered lately. */
  readonly isUnproven: boolean;
  readonly send: () => Promise<DeliveryOutcome>;
  readonly resolve: (outcome: DeliveryOutcome) => void;
}

interface DomainState {
  inProgress: number;
  /** Mails in progress that are allowed at the moment. */
  limit: number;
  waiting: Job[];
  /** Connections that failed in a row. */
  failures: number;
  blockedUntil: number;
  /** The last answer that was no success. */
  answer: string;
  answeredAt: number;
  /** When the next of the postponed mails has its turn. */
  nextTurnAt: number;
  /** How long the last mails took on average; null before the first. */
  sendMs: number | null;
  /** Mails that may be sent now, and when that was counted. */
  allowance: number;
  countedAt: number;
  usedAt: number;
}

const firstLimit = 4;
const provenForMs = 10 * minuteMs;
/** A little less than the waits of a mail, so that its next attempt is the next try of its domain. */
const firstBlockMs = 50_000;
const maxBlockMs = hourMs;
const slowDownMs = 30_000;
const crowdedMs = 5_000;
const shortestWaitMs = 1_000;
const mailsOfAverage = 8;
const maxWaiting = 80;
const forgetAfterMs = 2 * hourMs;
const maxDomains = 10_000;

/** Answers with which a server asks for fewer connections or less mail. */
const asksForLess = (answer: string): boolean => /^421\b|^4\d\d 4\.7\.\d/.test(smtpCodes(answer));

/**
 * Creates the limits of each domain: mails at once, which grow while it answers; mails a minute; and, when it
 * does not answer, a pause that doubles up to an hour, after which a single mail tries it. Domains that have not
 * answered lately share a part of the room, so that they never hold up the others.
 */
export const createDomainLimits = (options: DomainLimitsOptions): DomainLimits => {
  const { maxInProgress, perMinute, maxUnproven, maxUnprovenBytes, clock, random } = options;
  const states = new Map<string, DomainState>();
  let unproven = 0;
  let unprovenBytes = 0;

  const isForgettable = ({ inProgress, waiting, usedAt }: DomainState, now: number): boolean =>
    inProgress === 0 && waiting.length === 0 && now - usedAt > forgetAfterMs;

  const stateOf = (domain: string): DomainState => {
    const now = clock.now();
    const known = states.get(domain);
    if (known) {
      known.usedAt = now;
      return known;
    }
    if (states.size >= maxDomains)
      for (const [name, one] of states)
        if (isForgettable(one, now) || (one.inProgress === 0 && one.failures === 0)) states.delete(name);
    const created: DomainState = {
      inProgress: 0,
      limit: Math.min(firstLimit, maxInProgress),
      waiting: [],
      failures: 0,
      blockedUntil: 0,
      answer: "",
      answeredAt: Number.NEGATIVE_INFINITY,
      nextTurnAt: 0,
      sendMs: null,
      allowance: perMinute,
      countedAt: now,
      usedAt: now,
    };
    states.set(domain, created);
    return created;
  };

  const isProven = ({ answeredAt, failures }: DomainState): boolean =>
    failures === 0 && clock.now() - answeredAt < provenForMs;

  const postpone = ({ answer }: DomainState, retryInMs: number): DeliveryOutcome => ({
    kind: "postponed",
    answer,
    retryInMs: Math.max(shortestWaitMs, Math.round(retryInMs)),
  });

  /** The postponed mails come back one after the other, as fast as the domain may and does take them. */
  const postponeToTurn = (state: DomainState, earliest: number): DeliveryOutcome => {
    const now = clock.now();
    const apartMs = Math.max(minuteMs / perMinute, (state.sendMs ?? 0) / state.limit);
    state.nextTurnAt = Math.max(earliest, state.nextTurnAt) + apartMs;
    return postpone(state, state.nextTurnAt - now);
  };

  /** Returns in how many milliseconds another mail may be sent; 0 takes one of the minute. */
  const takeAllowance = (state: DomainState): number => {
    const now = clock.now();
    const elapsed = Math.max(0, now - state.countedAt);
    state.allowance = Math.min(perMinute, state.allowance + (elapsed / minuteMs) * perMinute);
    state.countedAt = now;
    if (state.allowance < 1) return ((1 - state.allowance) / perMinute) * minuteMs;
    state.allowance -= 1;
    return 0;
  };

  /** Mails that wait in memory: at least as many as are in progress, and those that are sent before any returns. */
  const waitingRoom = ({ limit, sendMs }: DomainState): number =>
    Math.min(
      maxWaiting,
      Math.max(limit, Math.floor((limit * shortestWaitMs) / Math.max(1, sendMs ?? shortestWaitMs))),
    );

  const settle = ({ isUnproven, bytes, resolve }: Job, outcome: DeliveryOutcome): void => {
    if (isUnproven) {
      unproven -= 1;
      unprovenBytes -= bytes;
    }
    resolve(outcome);
  };

  const block = (state: DomainState): void => {
    const now = clock.now();
    if (now < state.blockedUntil) return;
    state.failures += 1;
    const pause = Math.min(firstBlockMs * 2 ** (state.failures - 1), maxBlockMs);
    state.blockedUntil = now + Math.round(pause * (1 + random.fraction() / 10));
    state.nextTurnAt = state.blockedUntil;
    state.limit = 1;
    for (const job of state.waiting.splice(0)) settle(job, postponeToTurn(state, state.blockedUntil));
  };

  const learn = (state: DomainState, { kind, answer, ...outcome }: DeliveryOutcome): void => {
    if (kind !== "delivered") state.answer = answer;
    if ("isUnreachable" in outcome && outcome.isUnreachable) {
      block(state);
      return;
    }
    state.failures = 0;
    state.answeredAt = clock.now();
    if (kind === "temporary" && asksForLess(answer)) {
      state.limit = Math.max(1, Math.floor(state.limit / 2));
      state.blockedUntil = clock.now() + slowDownMs;
    } else state.limit = Math.min(maxInProgress, state.limit + 1);
  };

  const start = async (state: DomainState, job: Job): Promise<void> => {
    state.inProgress += 1;
    const began = clock.now();
    const outcome = await job
      .send()
      .catch((): DeliveryOutcome => ({ kind: "temporary", answer: "451 4.3.0 Sending failed" }));
    state.inProgress -= 1;
    const took = clock.now() - began;
    state.sendMs = state.sendMs === null ? took : state.sendMs + (took - state.sendMs) / mailsOfAverage;
    learn(state, outcome);
    settle(job, outcome);
    while (state.inProgress < state.limit) {
      const next = state.waiting.shift();
      if (!next) break;
      void start(state, next);
    }
  };

  /** Returns why a mail cannot be sent now; null when it can, at once or after the one before it. */
  const refusal = (state: DomainState, bytes: number): DeliveryOutcome | null => {
    const now = clock.now();
    if (now < state.blockedUntil) return postponeToTurn(state, state.blockedUntil);
    const isProbed = state.failures > 0 && state.inProgress > 0;
    if (isProbed) return postponeToTurn(state, now + crowdedMs);
    const isCrowded = unproven >= maxUnproven || (unproven > 0 && unprovenBytes + bytes > maxUnprovenBytes);
    if (!isProven(state) && isCrowded) return postpone(state, crowdedMs);
    const isFull = state.inProgress >= state.limit;
    if (isFull && state.waiting.length >= waitingRoom(state)) return postponeToTurn(state, now);
    const waitMs = takeAllowance(state);
    return waitMs > 0 ? postponeToTurn(state, now + waitMs) : null;
  };

  return {
    run: (domain, bytes, send) =>
      new Promise((resolve) => {
        const state = stateOf(domain);
        const refused = refusal(state, bytes);
        if (refused) return resolve(refused);
        const isUnproven = !isProven(state);
        if (isUnproven) {
          unproven += 1;
          unprovenBytes += bytes;
        }
        const job: Job = { bytes, isUnproven, send, resolve };
        if (state.inProgress < state.limit) void start(state, job);
        else state.waiting.push(job);
      }),
    figures: () => {
      const all = [...states.values()];
      return {
        sending: all.filter(({ inProgress }) => inProgress > 0).length,
        failing: all.filter(({ failures }) => failures > 0).length,
      };
    },
  };
};
