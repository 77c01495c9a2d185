import type {
  Destination,
  DestinationChange,
  DestinationRemoval,
} from "../../core/destinations/destinationEndpoints.ts";
import type { Mask } from "../../core/masks/mask.ts";
import type { Answer, FakeHttp, ReceivedRequest } from "./fakeHttp.ts";

type Authorise = (answer: (request: ReceivedRequest) => Answer) => (request: ReceivedRequest) => Answer;

interface DestinationDeps {
  readonly accountEmail: string;
  readonly masks: () => readonly Mask[];
  /** Moves the masks of an address to another one; switches them off for null. */
  readonly move: (from: string, to: string | null) => void;
}

const fingerprintOf = (n: number): string =>
  "0123456789ABCDEF0123456789ABCDEF01234567".slice(n).padEnd(40, "F");

/** Serves the addresses that masks forward to; each has its address as id. */
export const serveDestinations = (
  server: FakeHttp,
  authorised: Authorise,
  { accountEmail, masks, move }: DestinationDeps,
): void => {
  let added: readonly string[] = [];
  let changes: Readonly<Record<string, DestinationChange>> = {};
  let keys: Readonly<Record<string, readonly string[]>> = {};
  let defaultId = accountEmail;
  const read = (email: string): Destination => {
    const { name = "" } = changes[email] ?? {};
    return {
      id: email,
      email,
      name,
      status: added.includes(email) ? "awaiting-confirmation" : "confirmed",
      masks: masks().filter(({ forwardTo }) => forwardTo === email).length,
      isDefault: email === defaultId,
      isAccount: email === accountEmail,
      keyFingerprint: keys[email]?.[0] ?? null,
    };
  };
  const emails = (): readonly string[] => [
    ...new Set([accountEmail, ...added, ...masks().map(({ forwardTo }) => forwardTo)]),
  ];
  server.on(
    "GET",
    "/destinations",
    authorised(() => ({ json: { destinations: emails().map(read) } })),
  );
  server.on(
    "POST",
    "/destinations",
    authorised(({ body }) => {
      const { email } = body as { email: string };
      if (!emails().includes(email)) added = [...added, email];
      return { json: { ...read(email), confirmationSent: true } };
    }),
  );
  server.on(
    "PATCH",
    "/destinations/:id",
    authorised(({ params, body }) => {
      const id = params["id"] ?? "";
      const change = body as DestinationChange;
      const { addKeys = [], removeKeys = [] } = change;
      if (addKeys.includes("nonsense")) {
        const message = "This is not a public key.";
        return { status: 400, json: { message, errors: [{ field: "addKeys", message }] } };
      }
      const kept = (keys[id] ?? []).filter((one) => !removeKeys.includes(one));
      keys = { ...keys, [id]: [...kept, ...addKeys.map((_, n) => fingerprintOf(kept.length + n))] };
      changes = { ...changes, [id]: { ...changes[id], ...change } };
      if (change.isDefault) defaultId = id;
      return { json: read(id) };
    }),
  );
  server.on(
    "GET",
    "/destinations/:id/keys",
    authorised(({ params }) => {
      const used = (keys[params["id"] ?? ""] ?? []).map((fingerprint) => ({
        fingerprint,
        publicKey: "a key",
        added: "2026-11-01T00:00:00.000Z",
        expires: null,
      }));
      return { json: { keys: used, offered: null } };
    }),
  );
  server.on(
    "POST",
    "/destinations/:id/keys/search",
    authorised(() => ({ json: { found: null, refusal: "no-key" } })),
  );
  server.on(
    "DELETE",
    "/destinations/:id",
    authorised(({ params, body }) => {
      const id = params["id"] ?? "";
      const removal = (body as DestinationRemoval).masks;
      move(id, removal.kind === "move" ? removal.to : null);
      added = added.filter((email) => email !== id);
      return { json: {} };
    }),
  );
};
