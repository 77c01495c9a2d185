import { makeState, type State } from "../kernel/state.ts";

/** What concerns the whole page until it is dismissed (SH3). */
export interface Banner {
  readonly message$: State<string | null>;
  readonly dismiss: () => void;
  readonly show: (text: string) => void;
  /** Takes back a message that holds no longer; any other stays. */
  readonly withdraw: (text: string) => void;
}

export const makeBanner = (): Banner => {
  const message$ = makeState<string | null>(null);
  return {
    message$,
    dismiss: () => message$.set(null),
    show: message$.set,
    withdraw: (text) => message$.update((shown) => (shown === text ? null : shown)),
  };
};
