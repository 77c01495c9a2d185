/** Where defects are told to the operator. Never given addresses, subjects, bodies, codes or tokens. */
export interface Reporter {
  readonly report: (error: unknown, context: Readonly<Record<string, string>>) => void;
}
