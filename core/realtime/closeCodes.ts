/** WebSocket close codes (RFC 6455, section 7.4.1, and the IANA registry). */
export const normalClosure = 1000;
export const policyViolation = 1008;
export const tryAgainLater = 1013;
/** An own code: the other side does not answer any more. */
export const silence = 4000;
