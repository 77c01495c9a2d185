import { longDate } from "../../format/dates.ts";
import styles from "./Encryption.module.css";
import { Fingerprint } from "./Fingerprint.tsx";

export interface KeyDetails {
  readonly fingerprint: string;
  readonly userIds: readonly string[];
  /** In milliseconds since 1970, or ISO 8601; null without an end. */
  readonly expires: number | string | null;
  readonly algorithm?: string;
  /** In ISO 8601. */
  readonly created?: string;
}

/** The facts that tell one key from another. */
export const KeyDetailsList = ({ details }: { readonly details: KeyDetails }) => (
  <dl className={styles.facts} aria-label="This key">
    <dt>Fingerprint</dt>
    <dd>
      <Fingerprint value={details.fingerprint} />
    </dd>
    <dt>Belongs to</dt>
    <dd>{details.userIds.join(", ") || "Nobody named"}</dd>
    {details.algorithm !== undefined && (
      <>
        <dt>Algorithm</dt>
        <dd>{details.algorithm}</dd>
      </>
    )}
    {details.created !== undefined && (
      <>
        <dt>Created on</dt>
        <dd>{longDate(details.created)}</dd>
      </>
    )}
    <dt>Valid until</dt>
    <dd>{details.expires === null ? "No end" : longDate(new Date(details.expires).toISOString())}</dd>
  </dl>
);
