import { UseCaseError } from "../../../platform/errors/useCaseError.ts";

/** The refusal of a code that does not sign in, whatever the reason is. */
export const wrongCode = (): UseCaseError =>
  new UseCaseError("unauthenticated", "Invalid verification code. Check it, or ask for a new one.");
