/** Where and how one socket is opened. */
export interface Place {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The messages that the client sends first; no others are awaited. */
  readonly hello: readonly string[];
}

/** A server to be measured. */
export interface Subject {
  readonly name: string;
  readonly places: readonly Place[];
  /** Causes an event with this name that every socket must receive; resolves when it is stored. */
  readonly happen: (name: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}
