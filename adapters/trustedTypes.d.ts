interface TrustedTypesRules {
  readonly createHTML?: (html: string) => string;
  readonly createScriptURL?: (url: string) => string | null;
}

/** The part of the W3C's Trusted Types API that adapters and web use; a trusted value is a string to the DOM's types. */
interface TrustedTypesFactory {
  /** Null before a policy with the name "default" is created. */
  readonly defaultPolicy: unknown;
  readonly createPolicy: <Rules extends TrustedTypesRules>(
    name: string,
    rules: Rules,
  ) => { readonly [Name in keyof Rules]: (input: string) => string };
}

interface Window {
  /** Missing in browsers without Trusted Types. */
  readonly trustedTypes?: TrustedTypesFactory;
}
