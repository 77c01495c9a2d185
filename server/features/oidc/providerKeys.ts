import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";
import type { Clock } from "../../../core/ports/clock.ts";
import { askProvider } from "./providerFetch.ts";
import { SignOnRefusal } from "./signOnRefusal.ts";

/** Keys are asked for again after this time, and for a key that is not among them, at most this often. */
const keysForMs = 10 * 60_000;
const leastPauseMs = 10_000;

interface KnownKeys {
  readonly address: string;
  readonly at: number;
  readonly find: JWTVerifyGetKey;
}

const read = async (address: string): Promise<JWTVerifyGetKey> => {
  const response = await askProvider(address, { headers: { accept: "application/json" } });
  const keys: unknown = response.ok ? await response.json().catch(() => null) : null;
  try {
    return createLocalJWKSet(keys as JSONWebKeySet);
  } catch (error) {
    throw new SignOnRefusal("refused", "provider has no keys", error);
  }
};

/** The key that a token names is not among those that the provider has published. */
const isUnknownKey = (error: unknown): boolean =>
  (error as { code?: unknown }).code === "ERR_JWKS_NO_MATCHING_KEY";

/** The keys of the provider, which change: a token with a key that is not known yet makes them be asked for again. */
export const createProviderKeys = (clock: Pick<Clock, "now">) => {
  let known: KnownKeys | null = null;
  const load = async (address: string): Promise<KnownKeys> => {
    known = { address, at: clock.now(), find: await read(address) };
    return known;
  };
  const ageOf = ({ at }: KnownKeys): number => Math.abs(clock.now() - at);
  return (address: string): JWTVerifyGetKey =>
    async (header, token) => {
      const kept = known?.address === address && ageOf(known) < keysForMs ? known : null;
      const keys = kept ?? (await load(address));
      try {
        return await keys.find(header, token);
      } catch (error) {
        const mayHaveChanged = kept !== null && ageOf(kept) >= leastPauseMs;
        if (!mayHaveChanged || !isUnknownKey(error)) throw error;
        return (await load(address)).find(header, token);
      }
    };
};
