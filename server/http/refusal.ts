import type { FieldError } from "../../core/kernel/failure.ts";

export interface RefusalDetails {
  readonly errors?: readonly FieldError[];
  /** When asking again makes sense, in seconds (RFC 9110, 10.2.3). */
  readonly retryAfterS?: number;
  /** What the answer says besides, for programs. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** A no that the client may see: thrown by use cases, told by the error table. `message` is a sentence for the user. */
export class Refusal extends Error {
  readonly status: number;
  readonly errors: readonly FieldError[];
  readonly retryAfterS: number | undefined;
  readonly more: Readonly<Record<string, unknown>>;

  constructor(status: number, message: string, details: RefusalDetails = {}) {
    super(message);
    this.status = status;
    this.errors = details.errors ?? [];
    this.retryAfterS = details.retryAfterS;
    this.more = details.more ?? {};
  }
}

/** The refusal of one field, whose sentence is the whole's as well. */
export const refusedField = (status: number, field: string, message: string): Refusal =>
  new Refusal(status, message, { errors: [{ field, message }] });
