import { httpContract } from "../contracts/httpContract.ts";
import { createFakeHttp } from "./fakeHttp.ts";
import { createVirtualClock } from "./virtualClock.ts";

describe("The fake HTTP server", () => {
  httpContract(async () => {
    const server = createFakeHttp(createVirtualClock());
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"] as const)
      server.on(method, "/echo", ({ path, headers, body }) => ({
        headers: { "x-answer": "yes" },
        json: { method, path, headers, body: body ?? null },
      }));
    server.on("GET", "/status/:code", ({ params }) => ({
      status: Number(params["code"]),
      text: `said ${params["code"]}`,
    }));
    server.on("GET", "/slow", "silent");
    server.on("GET", "/nowhere/echo", "unreachable");
    return { http: server.http, origin: "", nowhere: "/nowhere" };
  });
});
