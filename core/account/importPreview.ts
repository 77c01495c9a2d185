import { isRight } from "fp-ts/lib/Either.js";
import { ForwardTo } from "../masks/mask.ts";
import type { Account } from "../session/user.ts";
import { type ImportDomain, type KeptAddress, keptAddress } from "./importDomains.ts";
import { type ImportedPart, openPart, partTitle } from "./importParts.ts";
import type { ImportedMask, ImportRow } from "./importSources.ts";
import type { ImportFile } from "./readImport.ts";

/** The state of a row: waiting, skipped, imported or failed; "taken" is an imported part that is no mask. */
export type RowState =
  | { readonly kind: "waiting" }
  | { readonly kind: "skipped"; readonly reason: string }
  | { readonly kind: "made"; readonly maskEmail: string; readonly awaitsConfirmation: boolean }
  | { readonly kind: "taken"; readonly note: string }
  | { readonly kind: "failed"; readonly reason: string };

/** A row of the file with its state. */
export interface PreviewRow {
  readonly at: number;
  /** null for a row without a mask. */
  readonly mask: ImportedMask | null;
  /** The part that stands in the row instead of a mask. */
  readonly part?: ImportedPart;
  /** True if the row is about something else than a mask. */
  readonly isPart: boolean;
  /** The address in the file, which the mask keeps if `kept` is there. */
  readonly address: string;
  readonly kept?: KeptAddress;
  readonly state: RowState;
}

/** The masks of the account and how many more it may have. */
export interface ImportCapacity {
  /** The addresses of the existing masks, in lower case. */
  readonly addresses: ReadonlySet<string>;
  /** The number of masks that the plan still allows; null means no limit, or one that only the server knows. */
  readonly remaining: number | null;
  readonly limitMessage: string;
}

const waiting: RowState = { kind: "waiting" };
const skipped = (reason: string): RowState => ({ kind: "skipped", reason });

const previewMasks = (
  rows: readonly ImportRow[],
  domains: readonly ImportDomain[],
  capacity: ImportCapacity,
): readonly PreviewRow[] => {
  const seen = new Set<string>();
  let remaining = capacity.remaining ?? Number.POSITIVE_INFINITY;
  const stateOf = ({ address, forwardTo }: ImportedMask): RowState => {
    const key = address.toLowerCase();
    if (key !== "" && capacity.addresses.has(key)) return skipped("You have this mask already.");
    if (key !== "" && seen.has(key)) return skipped("It is in this file twice.");
    if (forwardTo !== null && !isRight(ForwardTo.decode(forwardTo)))
      return skipped("The address that it forwards to is not an email address.");
    seen.add(key);
    if (remaining <= 0) return skipped(capacity.limitMessage);
    remaining -= 1;
    return waiting;
  };
  return rows.map((row) => {
    const { at } = row;
    if (row.kind === "problem")
      return { at, isPart: false, mask: null, address: row.address, state: skipped(row.message) };
    const { mask } = row;
    const kept = keptAddress(mask.address, domains);
    return {
      at,
      isPart: false,
      mask,
      address: mask.address,
      ...(kept && { kept }),
      state: stateOf(mask),
    };
  });
};

const previewPart = (part: ImportFile["parts"][number], at: number, account: Account | null): PreviewRow => {
  const row = { at, isPart: true, mask: null, address: partTitle(part) };
  if (part.kind === "unreadable") return { ...row, state: skipped("It cannot be read.") };
  const open = openPart(part, account);
  return open === null
    ? { ...row, state: skipped("This account has its own.") }
    : { ...row, part: open, address: partTitle(open), state: waiting };
};

/**
 * Previews the import: first what the masks use, then the masks without existing, duplicate and invalid ones and those beyond
 * the limit.
 */
export const previewImport = (
  { rows, parts }: Pick<ImportFile, "rows" | "parts">,
  domains: readonly ImportDomain[],
  capacity: ImportCapacity,
  account: Account | null,
): readonly PreviewRow[] => [
  ...parts.map((part, at) => previewPart(part, at + 1, account)),
  ...previewMasks(rows, domains, capacity),
];
