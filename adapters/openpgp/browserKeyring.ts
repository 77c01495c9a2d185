import { makeWorkerKeyring, type WorkerKeyring } from "./workerKeyring.ts";

/** Where the build has put the worker. */
declare const __KEY_WORKER__: string;

/** What of the browser's policy for addresses of scripts this needs (W3C Trusted Types). */
interface TrustedTypes {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: () => string },
  ) => { readonly createScriptURL: (input: string) => string };
}

/** The keyring of a browser, in a worker whose code is fetched when it is first asked something. */
export const makeBrowserKeyring = (window: Window): WorkerKeyring => {
  const { trustedTypes } = window as Window & { readonly trustedTypes?: TrustedTypes };
  let address: string | undefined;
  /** The one address that may become this worker, whatever is asked for. */
  const trustedAddress = (): string => {
    address ??=
      trustedTypes
        ?.createPolicy("keyWorker", { createScriptURL: () => __KEY_WORKER__ })
        .createScriptURL("") ?? __KEY_WORKER__;
    return address;
  };
  return makeWorkerKeyring(() => new Worker(trustedAddress()));
};
