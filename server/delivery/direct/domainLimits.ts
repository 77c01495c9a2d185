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

interface Job {
  readonly bytes: number;
  /** True if it takes a part of the room of domains that have not answered lately. */
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
  /** The time at which the next of the postponed mails has its turn. */
  nextTurnAt: number;
  /** The average time that the last mails took; null before the first. */
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
/** After this time a postponed mail is back: its shortest wait, and the time until the queue is read again. */
const backAfterMs = 2_000;
const mailsOfAverage = 8;
const maxWaiting = 300;
const forgetAfterMs = 2 * hourMs;
const maxDomains = 10_000;

/** Answers with which a server asks for fewer connections or less mail. */
const asksForLess = (answer: string): boolean => /^421\b|^4\d\d 4\.7\.\d/.test(smtpCodes(answer));

const isForgettable = ({ inProgress, waiting, usedAt }: DomainState, now: number): boolean =>
  inProgress === 0 && waiting.length === 0 && now - usedAt > forgetAfterMs;

const postpone = ({ answer }: DomainState, retryInMs: number): DeliveryOutcome => ({
  kind: "postponed",
  answer,
  retryInMs: Math.max(shortestWaitMs, Math.round(retryInMs)),
});

/** Mails that wait in memory: at least as many as are in progress, and those that are sent before any returns. */
const waitingRoom = ({ limit, sendMs }: DomainState): number =>
  Math.min(
    maxWaiting,
    Math.max(limit, Math.floor((limit * backAfterMs) / Math.max(1, sendMs ?? backAfterMs))),
  );

/**
 * Limits what each domain is sent: mails at once, which grow while it answers; mails a minute; and, when it
 * does not answer, a pause that doubles up to an hour, after which a single mail tries it. Domains that have not
 * answered lately share a part of the room, so that they never hold up the others.
 */
export class DomainLimits {
  readonly #options: DomainLimitsOptions;
  readonly #states = new Map<string, DomainState>();
  #unproven = 0;
  #unprovenBytes = 0;

  constructor(options: DomainLimitsOptions) {
    this.#options = options;
  }

  /** Sends a mail to a domain when it has room for it, otherwise postpones it. Never rejects. */
  readonly run = (
    domain: string,
    bytes: number,
    send: () => Promise<DeliveryOutcome>,
  ): Promise<DeliveryOutcome> =>
    new Promise((resolve) => {
      const state = this.#stateOf(domain);
      const refused = this.#refusal(state, bytes);
      if (refused) return resolve(refused);
      const isUnproven = !this.#isProven(state);
      if (isUnproven) {
        this.#unproven += 1;
        this.#unprovenBytes += bytes;
      }
      const job: Job = { bytes, isUnproven, send, resolve };
      if (state.inProgress < state.limit) void this.#start(state, job);
      else state.waiting.push(job);
    });

  /** Returns how many domains have mail in progress, and how many do not answer. */
  readonly figures = (): { readonly sending: number; readonly failing: number } => {
    const all = [...this.#states.values()];
    return {
      sending: all.filter(({ inProgress }) => inProgress > 0).length,
      failing: all.filter(({ failures }) => failures > 0).length,
    };
  };

  #stateOf(domain: string): DomainState {
    const now = this.#options.clock.now();
    const known = this.#states.get(domain);
    if (known) {
      known.usedAt = now;
      return known;
    }
    if (this.#states.size >= maxDomains)
      for (const [name, one] of this.#states)
        if (isForgettable(one, now) || (one.inProgress === 0 && one.failures === 0))
          this.#states.delete(name);
    const created: DomainState = {
      inProgress: 0,
      limit: Math.min(firstLimit, this.#options.maxInProgress),
      waiting: [],
      failures: 0,
      blockedUntil: 0,
      answer: "",
      answeredAt: Number.NEGATIVE_INFINITY,
      nextTurnAt: 0,
      sendMs: null,
      allowance: this.#options.perMinute,
      countedAt: now,
      usedAt: now,
    };
    this.#states.set(domain, created);
    return created;
  }

  #isProven({ answeredAt, failures }: DomainState): boolean {
    return failures === 0 && this.#options.clock.now() - answeredAt < provenForMs;
  }

  /** The postponed mails come back one after the other, as fast as the domain may and does take them. */
  #postponeToTurn(state: DomainState, earliest: number): DeliveryOutcome {
    const now = this.#options.clock.now();
    const apartMs = Math.max(minuteMs / this.#options.perMinute, (state.sendMs ?? 0) / state.limit);
    state.nextTurnAt = Math.max(earliest, state.nextTurnAt) + apartMs;
    return postpone(state, state.nextTurnAt - now);
  }

  /** Returns in how many milliseconds another mail may be sent; 0 takes one of the minute. */
  #takeAllowance(state: DomainState): number {
    const now = this.#options.clock.now();
    const elapsed = Math.max(0, now - state.countedAt);
    state.allowance = Math.min(
      this.#options.perMinute,
      state.allowance + (elapsed / minuteMs) * this.#options.perMinute,
    );
    state.countedAt = now;
    if (state.allowance < 1) return ((1 - state.allowance) / this.#options.perMinute) * minuteMs;
    state.allowance -= 1;
    return 0;
  }

  #settle({ isUnproven, bytes, resolve }: Job, outcome: DeliveryOutcome): void {
    if (isUnproven) {
      this.#unproven -= 1;
      this.#unprovenBytes -= bytes;
    }
    resolve(outcome);
  }

  #block(state: DomainState): void {
    const now = this.#options.clock.now();
    if (now < state.blockedUntil) return;
    state.failures += 1;
    const pause = Math.min(firstBlockMs * 2 ** (state.failures - 1), maxBlockMs);
    state.blockedUntil = now + Math.round(pause * (1 + this.#options.random.fraction() / 10));
    state.nextTurnAt = state.blockedUntil;
    state.limit = 1;
    for (const job of state.waiting.splice(0))
      this.#settle(job, this.#postponeToTurn(state, state.blockedUntil));
  }

  #learn(state: DomainState, { kind, answer, ...outcome }: DeliveryOutcome): void {
    // The provider of the domain has no room: nothing was sent, so nothing is learned.
    if (kind === "postponed") return;
    if (kind !== "delivered") state.answer = answer;
    if ("isUnreachable" in outcome && outcome.isUnreachable) {
      this.#block(state);
      return;
    }
    state.failures = 0;
    state.answeredAt = this.#options.clock.now();
    if (kind === "temporary" && asksForLess(answer)) {
      state.limit = Math.max(1, Math.floor(state.limit / 2));
      state.blockedUntil = this.#options.clock.now() + slowDownMs;
    } else state.limit = Math.min(this.#options.maxInProgress, state.limit + 1);
  }

  async #start(state: DomainState, job: Job): Promise<void> {
    state.inProgress += 1;
    const began = this.#options.clock.now();
    const outcome = await job
      .send()
      .catch((): DeliveryOutcome => ({ kind: "temporary", answer: "451 4.3.0 Sending failed" }));
    state.inProgress -= 1;
    const took = this.#options.clock.now() - began;
    if (outcome.kind !== "postponed")
      state.sendMs = state.sendMs === null ? took : state.sendMs + (took - state.sendMs) / mailsOfAverage;
    this.#learn(state, outcome);
    this.#settle(job, outcome);
    while (state.inProgress < state.limit) {
      const next = state.waiting.shift();
      if (!next) break;
      void this.#start(state, next);
    }
  }

  /** Returns why a mail cannot be sent now; null when it can, at once or after the one before it. */
  #refusal(state: DomainState, bytes: number): DeliveryOutcome | null {
    const now = this.#options.clock.now();
    if (now < state.blockedUntil) return this.#postponeToTurn(state, state.blockedUntil);
    const isProbed = state.failures > 0 && state.inProgress > 0;
    if (isProbed) return this.#postponeToTurn(state, now + crowdedMs);
    const isCrowded =
      this.#unproven >= this.#options.maxUnproven ||
      (this.#unproven > 0 && this.#unprovenBytes + bytes > this.#options.maxUnprovenBytes);
    if (!this.#isProven(state) && isCrowded) return postpone(state, crowdedMs);
    const isFull = state.inProgress >= state.limit;
    if (isFull && state.waiting.length >= waitingRoom(state)) return this.#postponeToTurn(state, now);
    const waitMs = this.#takeAllowance(state);
    return waitMs > 0 ? this.#postponeToTurn(state, now + waitMs) : null;
  }
}
