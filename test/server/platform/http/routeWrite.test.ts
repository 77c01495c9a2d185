import { expect } from "chai";
import Fastify from "fastify";
import { endpoint } from "../../../../core/api/endpoint.ts";
import { type AuthGuard, routeSignedIn } from "../../../../server/platform/http/route.ts";

/** None of it is reached before a request. */
const authGuard: AuthGuard = {
  authenticate: () => Promise.reject(new Error("not called")),
  idempotency: {
    run: () => Promise.reject(new Error("not called")),
    write: () => Promise.reject(new Error("not called")),
  },
  assertRecentlyProven: () => Promise.reject(new Error("not called")),
};

describe("An endpoint that is not registered as one that writes in a transaction", () => {
  const register = (method: "GET" | "POST", options?: { readonly answerStored: "afterwards" }) => () =>
    routeSignedIn(Fastify(), authGuard, endpoint(method, "/things"), async () => {}, options);

  it("has to say that its answer is stored afterwards, unless it is a GET", () => {
    expect(register("POST")).to.throw("POST /things writes; register it with routeWrite");
    expect(register("POST", { answerStored: "afterwards" })).not.to.throw();
    expect(register("GET")).not.to.throw();
  });
});
