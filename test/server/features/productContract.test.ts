import { productContract } from "../../contracts/productContract.ts";
import { startServer } from "../support/startServer.ts";
import { setTier } from "../support/tier.ts";

describe("The product's server, which the fake stands for", () => {
  productContract(async () => {
    const email = "ada@example.org";
    const server = await startServer();
    const user = await server.signIn(email);
    await setTier(server.database, email, "business");
    return {
      email,
      send: (method, path, body) => user.call(method, path, { body }),
      stop: server.stop,
    };
  });
});
