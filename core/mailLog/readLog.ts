import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import * as t from "io-ts";
import type { Call } from "../api/call.ts";
import { withEntries } from "../api/leftOut.ts";
import type { Failure } from "../kernel/failure.ts";
import { deferTask } from "../kernel/task.ts";
import type { MaskId } from "../masks/mask.ts";
import type { Keyring } from "../ports/keyring.ts";
import { json, type Store, type StoredItem } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import { listLog } from "./logEndpoints.ts";
import { type LogDirection, type LogEntry, LogPage, type LogResult, type LogSettings } from "./logEntry.ts";
import { createUnsealing, type Unsealing } from "./unsealEntries.ts";

/** The filter of the entries that are shown. */
export interface LogFilter {
  /** null for all masks. */
  readonly maskId: MaskId | null;
  /** null for both directions. */
  readonly direction: LogDirection | null;
  /** null for all results. */
  readonly result: LogResult | null;
  /** A text in what is known about an entry; empty for all. */
  readonly text: string;
}

const exportPageSize = 200;

const CachedPage = t.type({ owner: t.string, page: LogPage });
type CachedPage = t.TypeOf<typeof CachedPage>;

export interface LogReaderDeps {
  readonly call: Call;
  readonly store: Store;
  readonly keyring: Pick<Keyring, "decrypt">;
}

/** Reads the log from the server, with what this device can decrypt, and its newest page from the last visit. */
export class LogReader {
  readonly #call: Call;
  readonly #owner: () => string | null;
  readonly #cache: StoredItem<CachedPage>;
  readonly #unsealing: Unsealing;
  /** As the server told them last. */
  #settings: LogSettings | null = null;

  constructor({ call, store, keyring }: LogReaderDeps, owner: () => string | null) {
    this.#call = call;
    this.#owner = owner;
    this.#cache = store.get(storedKeys.cachedLog, json(CachedPage));
    this.#unsealing = createUnsealing(keyring, owner);
  }

  /** Reads one page. What is encrypted can be searched here alone; without a key the server searches. */
  page(
    params: { readonly maskId?: string; readonly before?: string },
    { direction, result, text }: LogFilter,
  ): TE.TaskEither<Failure, LogPage> {
    return deferTask(() => {
      const search = text.trim();
      const isUnfiltered = direction === null && result === null && search === "";
      const isNewest = isUnfiltered && params.maskId === undefined && params.before === undefined;
      return pipe(
        this.#call(listLog)({
          params: {
            ...params,
            ...(direction === null ? {} : { direction }),
            ...(result === null ? {} : { result }),
            ...(search !== "" && this.#settings?.encrypted === false ? { q: search } : {}),
          },
        }),
        TE.chainFirstIOK((page) => () => {
          this.#settings = page.settings;
          if (isNewest) this.#keep(page);
        }),
        TE.chainW((page) => this.#unseal(page)),
      );
    });
  }

  /** Reads all entries; `onProgress` is called with the number of those that are read. */
  all(onProgress: (count: number) => void): TE.TaskEither<Failure, readonly LogEntry[]> {
    const readOn = (
      before: string | undefined,
      sofar: readonly LogEntry[],
    ): TE.TaskEither<Failure, readonly LogEntry[]> =>
      pipe(
        this.#call(listLog)({
          params: { limit: exportPageSize, ...(before === undefined ? {} : { before }) },
        }),
        TE.chainW((page) => this.#unseal(page)),
        TE.chain(({ mails, more }) => {
          const entries = [...sofar, ...mails];
          onProgress(entries.length);
          const last = mails.at(-1)?.id;
          return more && last !== undefined ? readOn(last, entries) : TE.right(entries);
        }),
      );
    return readOn(undefined, []);
  }

  /** Returns the newest page of all masks as the last visit has read it. */
  lastVisit(): LogPage | null {
    const known = this.#cache.read();
    return known !== null && known.owner === this.#owner() ? known.page : null;
  }

  /** Forgets the last visit, whose entries are not those of the server any more. */
  forgetLastVisit(): void {
    this.#cache.remove();
  }

  /** Forgets what was read for another user. */
  forget(): void {
    this.#settings = null;
    this.#unsealing.forget();
  }

  #keep(page: LogPage): void {
    const email = this.#owner();
    if (email !== null) this.#cache.write({ owner: email, page });
  }

  #unseal(page: LogPage): TE.TaskEither<never, LogPage> {
    return pipe(
      TE.fromTask(this.#unsealing.read(page.mails)),
      TE.map((mails) => ({ ...page, mails: withEntries(page.mails, mails) })),
    );
  }
}
