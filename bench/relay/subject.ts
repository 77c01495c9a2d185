/** A server to be measured. */
export interface Subject {
  readonly name: string;
  readonly port: number;
  /** Who takes the mails. */
  readonly recipient: string;
  /** How often it made sure that something is on the disk. */
  readonly commits: () => number;
  readonly stop: () => Promise<void>;
}
