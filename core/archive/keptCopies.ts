import * as t from "io-ts";
import type { Clock } from "../ports/clock.ts";
import { createCache } from "../storage/cache.ts";
import type { Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import { ArchivePage } from "./archiveEndpoints.ts";

/** The most characters of opened mails that stay on a device, in base 64; the mails opened last stay. */
export const maxKeptCharacters = 1_500_000;

const Kept = t.type({
  page: t.union([ArchivePage, t.null]),
  /** Those opened last come first; as the server has them. */
  mails: t.readonlyArray(t.type({ id: t.string, content: t.string })),
});
type Kept = t.TypeOf<typeof Kept>;

const nothing: Kept = { page: null, mails: [] };

/** The part of the mail in the app that stays on this device, so that it can be read without a connection. */
export interface KeptCopies {
  readonly page: (owner: string) => ArchivePage | null;
  readonly keepPage: (owner: string, page: ArchivePage) => void;
  /** Returns the mails that are here, in base 64, by their ids. */
  readonly contents: (owner: string) => ReadonlyMap<string, string>;
  readonly keep: (owner: string, id: string, content: string) => void;
  readonly remove: (owner: string, ids: ReadonlySet<string>) => void;
}

/** Returns the mails, the newest first, without those beyond the room. */
const withinRoom = (mails: Kept["mails"]): Kept["mails"] => {
  let characters = 0;
  return mails.filter(({ content }) => {
    characters += content.length;
    return characters <= maxKeptCharacters;
  });
};

/** Creates the copies in the storage of the device, which a logout empties. */
export const createKeptCopies = (store: Store, clock: Clock): KeptCopies => {
  const cache = createCache(store, clock, storedKeys.cachedMailbox, Kept);
  const read = (owner: string): Kept => cache.read(owner)?.value ?? nothing;
  return {
    page: (owner) => read(owner).page,
    keepPage: (owner, page) => cache.write(owner, { ...read(owner), page }),
    contents: (owner) => new Map(read(owner).mails.map(({ id, content }) => [id, content])),
    keep: (owner, id, content) => {
      const kept = read(owner);
      const others = kept.mails.filter((mail) => mail.id !== id);
      cache.write(owner, { ...kept, mails: withinRoom([{ id, content }, ...others]) });
    },
    remove: (owner, ids) => {
      const kept = read(owner);
      cache.write(owner, { ...kept, mails: kept.mails.filter(({ id }) => !ids.has(id)) });
    },
  };
};
