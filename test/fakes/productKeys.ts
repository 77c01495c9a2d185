import type { User } from "../../core/session/user.ts";
import type { Answer, FakeHttp, ReceivedRequest } from "./fakeHttp.ts";

type Authorise = (answer: (request: ReceivedRequest) => Answer) => (request: ReceivedRequest) => Answer;

interface Owner {
  readonly user: () => User;
  readonly setUser: (user: User) => void;
}

/** The encryption key of the fake server's user. */
export interface ProductKeys {
  /** The public key in use, or null. */
  readonly inUse: () => string | null;
  readonly use: (publicKey: string | null) => void;
}

const fingerprintIn = (publicKey: string): string => /[0-9A-F]{40}/.exec(publicKey)?.[0] ?? "";

export const serveKeys = (server: FakeHttp, authorised: Authorise, { user, setUser }: Owner): ProductKeys => {
  let inUse: string | null = null;
  let published = false;
  const use = (publicKey: string | null): void => {
    inUse = publicKey;
    setUser({ ...user(), keyStatus: publicKey === null ? "not-configured" : "configured" });
  };
  const status = (): Answer => ({
    json:
      inUse === null
        ? { status: "not-configured" }
        : { status: "configured", fingerprint: fingerprintIn(inUse) },
  });
  server.on("GET", "/keys/status", authorised(status));
  server.on(
    "GET",
    "/keys",
    authorised(() => ({
      json: {
        keys:
          inUse === null
            ? []
            : [
                {
                  publicKey: inUse,
                  fingerprint: fingerprintIn(inUse),
                  created: "2026-11-20T09:00:00.000Z",
                  published,
                },
              ],
      },
    })),
  );
  server.on(
    "POST",
    "/keys/setup",
    authorised(({ body }) => {
      use((body as { readonly publicKey: string }).publicKey);
      return status();
    }),
  );
  server.on(
    "PUT",
    "/keys/published",
    authorised(({ body }) => {
      published = (body as { readonly published: boolean }).published;
      return { json: { published } };
    }),
  );
  server.on(
    "DELETE",
    "/keys",
    authorised(() => {
      use(null);
      return status();
    }),
  );
  return { inUse: () => inUse, use };
};
