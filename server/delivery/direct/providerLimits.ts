import { dayMs, hourMs, minuteMs } from "../../../core/kernel/durations.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Random } from "../../../core/ports/random.ts";
import type { Db } from "../../platform/store/database.ts";
import type { DeliveryOutcome } from "../transport.ts";
import {
  type ProviderState,
  pauseProvider,
  readProviderState,
  recordAccepted,
  recordAnswer,
  takeTurn,
} from "./providerQueries.ts";
import type { Provider } from "./providers.ts";
import { readAnswer } from "./rateAnswer.ts";

export interface ProviderLimitsDeps {
  readonly db: Db;
  readonly clock: Pick<Clock, "now">;
  readonly random: Pick<Random, "fraction">;
}

/** Mails an hour to a provider that this server has never sent to. */
export const firstPerHour = 20;
/** From this rate on there is no limit. */
const fullPerHour = 10_000;
const leastPerHour = 6;
/** The part of an hour's mails that may pass at once. */
const burstShare = 4;
const firstPauseMs = 5 * minuteMs;
const longestPauseMs = 4 * hourMs;
/** Less than the time after which the queue takes a wait for a clock that was set back. */
const longestWaitMs = 4 * hourMs;
const shortestWaitMs = 1_000;
/** The time for which changes of other processes may stay unseen. */
const freshMs = 10_000;
/** A mail that was taken is recorded at most this often. */
const acceptedEveryMs = minuteMs;
const maxTurns = 20_000;
/** The delay, in milliseconds, before another attempt when the store does not answer. */
const storeFailureMs = 30_000;

/** The text that the owner of a late mail reads in place of an answer. */
export const slowStartAnswer =
  "this server is new to the provider of the address, and sends it a few mails an hour, twice as many each day";

/** Returns how many mails an hour a provider is sent; null without a limit. */
export const perHourOf = (
  { perHour, ratedAt }: Pick<ProviderState, "perHour" | "ratedAt">,
  now: number,
): number | null => {
  if (perHour === null) return null;
  const days = ratedAt === null ? 0 : Math.max(0, Math.floor((now - ratedAt) / dayMs));
  const rate = perHour * 2 ** Math.min(days, 30);
  return rate >= fullPerHour ? null : rate;
};

const apartMsOf = (perHour: number): number => Math.ceil(hourMs / perHour);
const burstOf = (perHour: number): number => Math.max(1, Math.floor(perHour / burstShare));

/** Returns the time at which the next mail may be sent. */
const freeAt = ({ paidUntil, pausedUntil }: ProviderState, perHour: number | null): number =>
  perHour === null
    ? pausedUntil
    : Math.max(pausedUntil, paidUntil - Math.round((burstOf(perHour) - 1) * apartMsOf(perHour)));

interface Known {
  state: ProviderState;
  readAt: number;
  /** The time at which the last of the postponed mails has its turn. */
  lastTurnAt: number;
  /** By id: when mails that were postponed have their turn. */
  readonly turns: Map<string, number>;
  /** Mails that were taken in this hour and in the one before, of this process. */
  hour: { readonly at: number; taken: number; readonly before: number };
  acceptedAt: number;
}

/**
 * Limits what large providers are sent, in all processes together and across restarts: a few mails an hour to a
 * provider that is new to this server, twice as many with each day, until there is no limit; and where an answer
 * asks for less, a pause as long as it says, otherwise one that doubles up to 4 hours, and half the rate.
 */
export class ProviderLimits {
  readonly #deps: ProviderLimitsDeps;
  readonly #known = new Map<string, Known>();

  constructor(deps: ProviderLimitsDeps) {
    this.#deps = deps;
  }

  /**
   * Sends a mail when the provider takes it now, otherwise postpones it. System mail, such as codes, waits for pauses
   * only. Never rejects.
   */
  readonly run = async (
    provider: Provider,
    mail: { readonly id: string; readonly isSystemMail: boolean },
    send: () => Promise<DeliveryOutcome>,
  ): Promise<DeliveryOutcome> => {
    let known: Known;
    try {
      known = await this.#recall(provider.id);
      const wait = await this.#wait(known, mail);
      if (wait !== null) return wait;
    } catch {
      return { kind: "postponed", answer: "", retryInMs: storeFailureMs };
    }
    const outcome = await send();
    // What was sent is sent, whatever the store does.
    await this.#learn(known, outcome).catch(() => {});
    return outcome;
  };

  async #recall(provider: string, isForced = false): Promise<Known> {
    const now = this.#deps.clock.now();
    const found = this.#known.get(provider);
    if (found && !isForced && Math.abs(now - found.readAt) < freshMs) return found;
    const state = await readProviderState(this.#deps.db, provider, firstPerHour);
    const known: Known = this.#known.get(provider) ?? {
      state,
      readAt: now,
      lastTurnAt: 0,
      turns: new Map(),
      hour: { at: now, taken: 0, before: 0 },
      acceptedAt: Number.NEGATIVE_INFINITY,
    };
    known.state = state;
    known.readAt = now;
    this.#known.set(provider, known);
    return known;
  }

  /** Returns the postponement of a mail whose turn it is not; null when it is sent now. */
  async #wait(
    known: Known,
    mail: { readonly id: string; readonly isSystemMail: boolean },
  ): Promise<DeliveryOutcome | null> {
    const now = this.#deps.clock.now();
    const perHour = perHourOf(known.state, now);
    const { provider, pausedUntil } = known.state;
    if (now < pausedUntil) return this.#postpone(known, mail, perHour);
    if (perHour === null) {
      known.turns.clear();
      return null;
    }
    if (!mail.isSystemMail && !this.#isTurnOf(known, mail.id, perHour))
      return this.#postpone(known, mail, perHour);
    const burst = mail.isSystemMail ? Number.MAX_SAFE_INTEGER / hourMs : burstOf(perHour);
    const apartMs = apartMsOf(perHour);
    const isTaken = await takeTurn(this.#deps.db, provider, { now, apartMs, burst });
    if (isTaken) {
      known.turns.delete(mail.id);
      const paidUntil = Math.max(known.state.paidUntil, now) + apartMs;
      known.state = { ...known.state, paidUntil };
      return null;
    }
    // Another process has sent, or paused the provider.
    await this.#recall(provider, true);
    return this.#postpone(known, mail, perHourOf(known.state, now));
  }

  /** Mails that wait go before those that have just come. */
  #isTurnOf({ state, turns, lastTurnAt }: Known, id: string, perHour: number): boolean {
    const now = this.#deps.clock.now();
    if (now < freeAt(state, perHour)) return false;
    const turn = turns.get(id);
    return turn === undefined ? lastTurnAt <= now : turn <= now;
  }

  #postpone(known: Known, { id }: { readonly id: string }, perHour: number | null): DeliveryOutcome {
    const now = this.#deps.clock.now();
    const free = Math.max(now, freeAt(known.state, perHour));
    const apartMs = perHour === null ? 0 : apartMsOf(perHour);
    const mine = known.turns.get(id);
    const turnAt =
      mine !== undefined && mine > now && mine >= free ? mine : Math.max(free, known.lastTurnAt + apartMs);
    const answer =
      known.state.pausedUntil > now || known.state.reason === null
        ? (known.state.answer ?? slowStartAnswer)
        : slowStartAnswer;
    if (turnAt - now > longestWaitMs || known.turns.size >= maxTurns) {
      known.turns.delete(id);
      const early = Math.round((this.#deps.random.fraction() * longestWaitMs) / 10);
      return { kind: "postponed", answer, retryInMs: longestWaitMs - early };
    }
    known.turns.set(id, turnAt);
    known.lastTurnAt = Math.max(known.lastTurnAt, turnAt);
    return { kind: "postponed", answer, retryInMs: Math.max(shortestWaitMs, Math.ceil(turnAt - now)) };
  }

  #count(known: Known): void {
    const now = this.#deps.clock.now();
    const elapsed = now - known.hour.at;
    if (elapsed >= hourMs || elapsed < 0)
      known.hour = { at: now, taken: 0, before: elapsed < 2 * hourMs && elapsed > 0 ? known.hour.taken : 0 };
    known.hour.taken += 1;
  }

  async #learn(known: Known, outcome: DeliveryOutcome): Promise<void> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    const { provider, ratedAt, pauses } = known.state;
    if (outcome.kind === "delivered") {
      this.#count(known);
      if (ratedAt !== null && pauses === 0 && now - known.acceptedAt < acceptedEveryMs) return;
      known.acceptedAt = now;
      await recordAccepted(db, provider, now);
      await this.#recall(provider, true);
      return;
    }
    const read = outcome.kind === "postponed" ? null : readAnswer(outcome.answer);
    if (read === null) return;
    await recordAnswer(db, provider, { text: outcome.answer, reason: read.reason, now });
    if (read.asksForPause) await this.#pause(known, read.waitMs);
    await this.#recall(provider, true);
  }

  async #pause({ state, hour }: Known, waitMs: number | null): Promise<void> {
    const { db, clock, random } = this.#deps;
    const now = clock.now();
    const backOff = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(state.pauses, 10));
    const until = now + Math.round((waitMs ?? backOff) * (1 + random.fraction() / 20));
    const before = perHourOf(state, now) ?? Math.max(hour.taken, hour.before);
    const perHour = Math.max(leastPerHour, Math.floor(before / 2));
    const paidUntil = until + Math.round((burstOf(perHour) - 1) * apartMsOf(perHour));
    await pauseProvider(db, state.provider, { now, until, perHour, paidUntil });
  }
}
