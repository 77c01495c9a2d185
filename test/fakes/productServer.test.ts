import { isLeft } from "fp-ts/lib/Either.js";
import type { HttpMethod } from "../../core/ports/http.ts";
import { productContract } from "../contracts/productContract.ts";
import { createFakeHttp } from "./fakeHttp.ts";
import { createUser, serveProduct } from "./productServer.ts";
import { createVirtualClock } from "./virtualClock.ts";

describe("The product's fake server", () => {
  productContract(async () => {
    const server = createFakeHttp(createVirtualClock());
    const user = createUser("ada@example.org", {
      keyStatus: "not-configured",
      subscription: { tier: "business", status: "active" },
    });
    const { token } = serveProduct(server, { user });
    return {
      email: user.email,
      send: async (method, url, body) => {
        const answer = await server.http({
          method: method as HttpMethod,
          url,
          headers: { authorization: `Bearer ${token()}` },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })();
        if (isLeft(answer)) throw new Error(answer.left.kind);
        const { status, body: text } = answer.right;
        return { status, json: text === "" ? undefined : JSON.parse(text) };
      },
    };
  });
});
