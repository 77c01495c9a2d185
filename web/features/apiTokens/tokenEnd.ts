import { endNoticeDays } from "../../../core/apiTokens/apiTokenEndpoints.ts";
import { dayMs } from "../../../core/kernel/durations.ts";
import { shortDate } from "../../format/dates.ts";
import type { BadgeProps } from "../../ui/Badge.tsx";

/** The end of a token, in words. */
interface TokenEnd {
  readonly text: string;
  /** The badge beside its name when it ends soon or has ended. */
  readonly mark: { readonly kind: BadgeProps["kind"]; readonly text: string } | null;
}

/** Says when a token ends, given as ISO 8601 or null for one that does not. */
export const tokenEndOf = (expires: string | null, now: number): TokenEnd => {
  if (expires === null) return { text: "Does not end", mark: null };
  const leftMs = Date.parse(expires) - now;
  if (leftMs <= 0) return { text: `Ended ${shortDate(expires)}`, mark: { kind: "danger", text: "Ended" } };
  const text = `Ends ${shortDate(expires)}`;
  const days = Math.ceil(leftMs / dayMs);
  if (days > endNoticeDays) return { text, mark: null };
  const when = days <= 1 ? "Ends within a day" : `Ends in ${days} days`;
  return { text, mark: { kind: "warning", text: when } };
};
