import { DeferralReason, type ProviderStatus } from "../../../core/operator/providerAnswer.ts";
import { perHourOf } from "../../delivery/direct/providerLimits.ts";
import { listProviderStates, type ProviderState } from "../../delivery/direct/providerQueries.ts";
import { providerName } from "../../delivery/direct/providers.ts";
import type { Db } from "../../platform/store/database.ts";

const toTime = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

const answerOf = ({ answer, reason, answeredAt }: ProviderState): ProviderStatus["answer"] => {
  const at = toTime(answeredAt);
  if (answer === null || at === null) return null;
  return { text: answer, reason: DeferralReason.is(reason) ? reason : "other", at };
};

/** Reads how large providers take mail of this server; those that have paused it come first. */
export const readProviders = async (db: Db, now: number): Promise<readonly ProviderStatus[]> => {
  const states = await listProviderStates(db);
  return states
    .map(
      (state): ProviderStatus => ({
        name: providerName(state.provider),
        perHour: perHourOf(state, now),
        pausedUntil: state.pausedUntil > now ? toTime(state.pausedUntil) : null,
        acceptedAt: toTime(state.acceptedAt),
        answer: answerOf(state),
      }),
    )
    .toSorted((a, b) => Number(b.pausedUntil !== null) - Number(a.pausedUntil !== null));
};
