import { isRight } from "fp-ts/lib/Either.js";
import { ForwardTo } from "../masks/mask.ts";
import type { ImportedMask, ImportRow } from "./importedMask.ts";

/** How a row fares: to be made, passed over, made, refused. */
export type RowState =
  | { readonly kind: "waiting" }
  | { readonly kind: "skipped"; readonly reason: string }
  | { readonly kind: "made"; readonly maskEmail: string; readonly awaitsConfirmation: boolean }
  | { readonly kind: "failed"; readonly reason: string };

/** A row with what becomes of it. */
export interface PlannedRow {
  readonly at: number;
  /** null for a row that holds no mask. */
  readonly mask: ImportedMask | null;
  readonly address: string;
  readonly state: RowState;
}

/** What a plan must know of the account. */
export interface ImportRoom {
  /** The addresses of the masks that are there. */
  readonly addresses: ReadonlySet<string>;
  /** How many more masks the plan has room for; null means unlimited, or unknown: then the server has its say. */
  readonly free: number | null;
  /** Why more are not possible, in words. */
  readonly fullSentence: string;
}

const waiting: RowState = { kind: "waiting" };
const skipped = (reason: string): RowState => ({ kind: "skipped", reason });

/** What would be done with each row: as many as there is room for, none that is there already, none twice. */
export const planImport = (rows: readonly ImportRow[], room: ImportRoom): readonly PlannedRow[] => {
  const seen = new Set<string>();
  let left = room.free ?? Number.POSITIVE_INFINITY;
  const stateOf = ({ address, forwardTo }: ImportedMask): RowState => {
    const key = address.toLowerCase();
    if (key !== "" && room.addresses.has(key)) return skipped("You have this mask already.");
    if (key !== "" && seen.has(key)) return skipped("It stands in this file twice.");
    if (forwardTo !== null && !isRight(ForwardTo.decode(forwardTo)))
      return skipped("It forwards to what is no e-mail address.");
    seen.add(key);
    if (left <= 0) return skipped(room.fullSentence);
    left -= 1;
    return waiting;
  };
  return rows.map((row) =>
    row.kind === "problem"
      ? { at: row.at, mask: null, address: row.address, state: skipped(row.sentence) }
      : { at: row.at, mask: row.mask, address: row.mask.address, state: stateOf(row.mask) },
  );
};
