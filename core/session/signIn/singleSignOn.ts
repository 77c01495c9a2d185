/** The reasons for which a sign-in by an identity provider (OIDC) does not go on. */
export const signOnProblems = [
  "unavailable",
  "expired",
  "refused",
  "unverified",
  "not-allowed",
  "own-mask",
] as const;
export type SignOnProblem = (typeof signOnProblems)[number];

/** The server's answer to a visit of the provider, in the fragment of the sign-in page's address. */
export type SignOnArrival =
  | { readonly kind: "ticket"; readonly ticket: string }
  | { readonly kind: "problem"; readonly problem: SignOnProblem };

/** Returns the path of the sign-in page with what it is to do; the fragment never reaches a server or its log. */
export const signOnAddress = (arrival: SignOnArrival): string =>
  arrival.kind === "ticket" ? `/login#sso=${arrival.ticket}` : `/login#sso-error=${arrival.problem}`;

/** Returns what a fragment says of a sign-in by the provider; null for another one. */
export const parseSignOnArrival = (fragment: string): SignOnArrival | null => {
  const [, failed, value = ""] = /^#sso(-error)?=([\w-]{1,100})$/.exec(fragment) ?? [];
  if (value === "") return null;
  if (failed === undefined) return { kind: "ticket", ticket: value };
  const problem = signOnProblems.find((known) => known === value);
  return problem === undefined ? null : { kind: "problem", problem };
};

/** The provider as the sign-in page knows it. */
export interface SignOnProvider {
  readonly name: string;
  /** True if codes by email are switched off. */
  readonly only: boolean;
}

/** Returns the sentences about a problem: what happened, and what to do next. */
export const signOnProblemText = (problem: SignOnProblem, { name, only }: SignOnProvider): string => {
  const orCode = only ? "." : ", or use a code by email.";
  switch (problem) {
    case "unavailable":
      return `${name} does not answer at the moment. Try again in a minute${orCode}`;
    case "expired":
      return `This login took too long, or another one was begun in this browser. Continue with ${name} again${orCode}`;
    case "refused":
      return `The answer of ${name} could not be trusted, so you were not logged in. Try again${only ? "; if this goes on, tell the operator." : orCode}`;
    case "unverified":
      return `${name} does not say that your email address is yours. Verify it there${orCode}`;
    case "not-allowed":
      return `Your account at ${name} may not be used here. Ask the operator${orCode}`;
    case "own-mask":
      return `${name} knows you by a mask, which cannot be the address of an account. Give it your own address there${orCode}`;
  }
};
