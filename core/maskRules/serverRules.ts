import { merge, type Observable, Subscription } from "rxjs";
import type { State } from "../kernel/state.ts";
import type { Mask, MaskId } from "../masks/mask.ts";
import type { KnownRules, PendingRecord } from "../sync/pendingRecord.ts";
import { toldRules } from "./toldRules.ts";

type Records = Readonly<Record<MaskId, PendingRecord>>;

/** What this tab may take for the server's rules. */
export interface ServerRules {
  readonly of: (maskId: MaskId) => KnownRules;
  readonly start: () => Subscription;
}

interface Needs {
  readonly masks$: State<{ readonly status: string; readonly all: readonly Mask[] }>;
  readonly pending: { readonly all: () => Records; readonly all$: Observable<Records> };
  readonly online$: State<boolean>;
  /** Reads one mask anew, whatever was asked before; false when it cannot be had. */
  readonly reread: (maskId: MaskId) => Promise<boolean>;
  /** The server's rules were read: what is pending goes on top of them. */
  readonly noticed: (maskId: MaskId, known: KnownRules) => void;
}

const noIds: ReadonlySet<string> = new Set();

/**
 * Masks are read by each tab for itself, what is pending is shared by all: the list a change was made from may be newer
 * than what this tab has read. Then that list counts until the mask was read again; a tab that took its older one would
 * put back what another has just deleted.
 */
export const makeServerRules = ({ masks$, pending, online$, reread, noticed }: Needs): ServerRules => {
  const versions = new Map<MaskId, ReadonlySet<string>>();
  const asking = new Set<MaskId>();
  let recordsBefore: Records = {};

  const maskOf = (id: MaskId): Mask | undefined => masks$.value.all.find((mask) => mask.id === id);
  const met = (id: MaskId, etag: string | null): void => {
    const known = versions.get(id) ?? noIds;
    if (etag !== null && !known.has(etag)) versions.set(id, new Set([...known, etag]));
  };
  const hasMet = (id: MaskId, { base }: PendingRecord): boolean =>
    base.etag === null ||
    toldRules(maskOf(id)).etag === base.etag ||
    versions.get(id)?.has(base.etag) === true;
  const catchUp = (id: MaskId, etag: string | null): void => {
    if (asking.has(id) || !online$.value) return;
    asking.add(id);
    void reread(id).then((isRead) => {
      asking.delete(id);
      if (!isRead) return;
      met(id, etag);
      notice();
    });
  };
  const notice = (): void => {
    if (masks$.value.status !== "ready") return;
    for (const { id } of masks$.value.all) met(id, toldRules(maskOf(id)).etag);
    for (const [id, record] of Object.entries(pending.all()))
      if (maskOf(id) && hasMet(id, record)) noticed(id, toldRules(maskOf(id)));
      else if (maskOf(id)) catchUp(id, record.base.etag);
  };
  /** What has gone was saved, perhaps by another tab, and this one has not read it. */
  const compare = (records: Records): void => {
    for (const [id, { base, sent }] of Object.entries(recordsBefore))
      if (records[id] === undefined && sent !== undefined && toldRules(maskOf(id)).etag === base.etag)
        catchUp(id, null);
    recordsBefore = records;
  };
  return {
    of: (id) => {
      const record = pending.all()[id];
      return record === undefined || (maskOf(id) && hasMet(id, record)) ? toldRules(maskOf(id)) : record.base;
    },
    start: () => {
      const running = new Subscription();
      running.add(pending.all$.subscribe(compare));
      running.add(merge(masks$, pending.all$, online$).subscribe(notice));
      return running;
    },
  };
};
