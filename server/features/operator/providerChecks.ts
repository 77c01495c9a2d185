import { callbackPath, logoutPath, type Provider, usableAlgorithms } from "../oidc/provider.ts";
import { SignOnRefusal } from "../oidc/signOnRefusal.ts";
import { type Check, ok, problem, unknown, warning } from "./check.ts";

const reasonOf = (error: unknown): string =>
  error instanceof SignOnRefusal ? error.reason : "it could not be reached";

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Checks what the provider says of itself. */
export const checkProvider = async (provider: Pick<Provider, "metadata">, issuer: string): Promise<Check> => {
  const name = "identity provider";
  try {
    const { code_challenge_methods_supported: methods, id_token_signing_alg_values_supported: algorithms } =
      await provider.metadata();
    if (!listOf(algorithms).some((algorithm) => usableAlgorithms.includes(String(algorithm))))
      return problem(
        name,
        `${issuer} signs with no key pair`,
        "Choose a signing key there, such as RS256 or ES256",
      );
    if (methods !== undefined && !listOf(methods).includes("S256"))
      return warning(name, `${issuer} does not say that it knows PKCE`, "Use a provider with PKCE (S256)");
    return ok(name, `${issuer} answers`);
  } catch (error) {
    return problem(
      name,
      `${issuer}: ${reasonOf(error)}`,
      "Set OIDC_ISSUER as the provider writes it, and let this machine reach it",
    );
  }
};

/** Checks, as far as can be told without a person, that the provider knows the client, and says what to register. */
export const checkClient = async (
  provider: Pick<Provider, "tryClient">,
  { publicUrl, clientId }: { readonly publicUrl: string; readonly clientId: string },
): Promise<readonly Check[]> => {
  const name = "client at the provider";
  const register = ok(
    "to register there",
    `redirect URI ${publicUrl}${callbackPath}, back-channel logout URI ${publicUrl}${logoutPath}`,
  );
  try {
    const isKnown = await provider.tryClient();
    if (isKnown === null) return [unknown(name, `${clientId}: the answer does not say`), register];
    const checked = isKnown
      ? ok(name, `${clientId} and its secret are accepted`)
      : problem(
          name,
          `${clientId} is refused`,
          "Check OIDC_CLIENT_ID, OIDC_CLIENT_SECRET and how the client logs in there",
        );
    return [checked, register];
  } catch (error) {
    return [unknown(name, reasonOf(error)), register];
  }
};
