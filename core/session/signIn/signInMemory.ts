import * as t from "io-ts";
import { ageMs } from "../../kernel/age.ts";
import type { Clock } from "../../ports/clock.ts";
import { json, plainText, type Store } from "../../storage/store.ts";
import { type StoredKey, storedKeys } from "../../storage/storedKeys.ts";
import { codeLifetimeMs, secondFactorLifetimeMs, ticketLifetimeMs } from "../oneTimeCode.ts";

const begun = {
  email: t.string,
  /** The time at which the step began, in milliseconds since 1970. */
  since: t.number,
};

const PendingStep = t.union([
  t.type({ step: t.literal("code"), ...begun }),
  t.type({ step: t.literal("two-factor"), ...begun, tempToken: t.string }),
  t.type({ step: t.literal("plan"), ...begun, tempToken: t.string, needsInvitation: t.boolean }),
]);

/** A step of a sign-in under way after the first one, with what its next request needs. */
export type PendingStep = t.TypeOf<typeof PendingStep>;

type WithoutTime<Step> = Step extends PendingStep ? Omit<Step, "since"> : never;

/** A step that begins now. */
export type NewPendingStep = WithoutTime<PendingStep>;

/** The time for which the server accepts the next request of a step, in milliseconds. */
const lifetimeMs: Readonly<Record<PendingStep["step"], number>> = {
  code: codeLifetimeMs,
  "two-factor": secondFactorLifetimeMs,
  plan: ticketLifetimeMs,
};

/** Remembers the address of a step that follows the sign-in. */
export interface StepMemory {
  readonly isAt: (email: string) => boolean;
  readonly remember: (email: string) => void;
  readonly forget: () => void;
}

/** The memory of a tab for a sign-in under way, so that a reload returns to its step. It holds no code. */
export interface SignInMemory {
  /** The step that the sign-in has reached; null at the first one and when the server would refuse the next request. */
  readonly pendingStep: () => PendingStep | null;
  readonly remember: (step: NewPendingStep) => void;
  readonly forget: () => void;
  readonly keySetup: StepMemory;
  /** Who is offered nothing more in this tab. */
  readonly offersEnded: StepMemory;
  readonly twoFactorSetup: StepMemory;
}

/** Creates the memory over the storage of the tab. */
export const createSignInMemory = (store: Store, clock: Pick<Clock, "now">): SignInMemory => {
  const pending = store.get(storedKeys.pendingSignIn, json(PendingStep));
  const stepMemory = (key: StoredKey): StepMemory => {
    const owner = store.get(key, plainText);
    return {
      isAt: (email) => owner.read() === email,
      remember: (email) => void owner.write(email),
      forget: owner.remove,
    };
  };
  return {
    pendingStep: () => {
      const step = pending.read();
      return step !== null && ageMs(step.since, clock.now()) < lifetimeMs[step.step] ? step : null;
    },
    remember: (step) => void pending.write({ ...step, since: clock.now() }),
    forget: pending.remove,
    keySetup: stepMemory(storedKeys.keySetupOwner),
    offersEnded: stepMemory(storedKeys.offersEndedFor),
    twoFactorSetup: stepMemory(storedKeys.twoFactorSetupOwner),
  };
};
