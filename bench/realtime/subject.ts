/** Where one socket is opened, and with what. */
export interface Place {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What is said first; nothing more is waited for. */
  readonly hello: readonly string[];
}

/** A server to be measured. */
export interface Subject {
  readonly name: string;
  readonly places: readonly Place[];
  /** Something happens that every socket is to hear of, under this name; resolves when it is done. */
  readonly happen: (name: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}
