/** A server to be measured. */
export interface Subject {
  readonly name: string;
  readonly port: number;
  readonly recipient: string;
  /** How many times data was synced to disk. */
  readonly commits: () => number;
  readonly stop: () => Promise<void>;
}
