import { UseCaseError } from "../../../platform/errors/useCaseError.ts";

/** The refusal of a code that does not sign in, whatever the reason is. */
export const wrongCode = (): UseCaseError =>
  new UseCaseError("unauthenticated", "Invalid verification code. Please check it, or ask for a new one.");
