import { expect } from "chai";
import type { Client } from "./client.ts";
import type { TestServer } from "./startServer.ts";

/** Confirms by a mailed code that it is the user, as the app asks for after five minutes. */
export const proveByCode = async (server: TestServer, client: Client, email: string): Promise<void> => {
  expect((await client.call("POST", "/account/proof/code")).status).to.equal(200);
  const code = await server.code(email);
  expect((await client.call("PUT", "/account/proof", { body: { code } })).status).to.equal(200);
};
