/** Reports defects to the operator. Callers never pass addresses, subjects, bodies, codes or tokens. */
export interface Reporter {
  /** True if somebody receives what is reported. */
  readonly isReceived: boolean;
  readonly report: (error: unknown, context: Readonly<Record<string, string>>) => void;
}
