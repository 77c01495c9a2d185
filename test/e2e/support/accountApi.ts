import { request } from "playwright-core";
import type { RunningServer } from "./server.ts";
import type { createAccount } from "./visitor.ts";

/** A browser's cookies and storage of a signed-in account. */
export type Kept = Awaited<ReturnType<typeof createAccount>>;

/** The server's API, called for a signed-in account. */
export interface AccountApi {
  readonly send: <A = { readonly id: string }>(
    method: "POST" | "PUT",
    path: string,
    data: object,
  ) => Promise<A>;
  readonly leave: () => Promise<void>;
}

/** Returns the token of a signed-in account. */
export const tokenOf = ({ origins }: Kept): string =>
  origins[0]?.localStorage.find(({ name }) => name === "authToken")?.value ?? "";

/** Opens the API for a signed-in account; an answer that is not a success is an error. */
export const openAccountApi = async (server: RunningServer, kept: Kept): Promise<AccountApi> => {
  const api = await request.newContext({
    baseURL: server.url,
    storageState: kept,
    extraHTTPHeaders: { authorization: `Bearer ${tokenOf(kept)}` },
  });
  const csrf = (await api.get("/csrf-token")).headers()["x-csrf-token"] ?? "";
  return {
    send: async <A>(method: "POST" | "PUT", path: string, data: object) => {
      const answer = await api.fetch(path, { method, headers: { "x-csrf-token": csrf }, data });
      if (!answer.ok()) throw new Error(`${method} ${path} answered with ${await answer.text()}`);
      return (await answer.json()) as A;
    },
    leave: () => api.dispose(),
  };
};
