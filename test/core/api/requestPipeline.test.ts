import { expect } from "chai";
import { flagsOf } from "../../../core/api/configuration.ts";
import { startApp } from "../../fakes/appOnFakes.ts";
import { createMask } from "../../fakes/productServer.ts";

const configuration = { brand: "Bauta", maskDomain: "masks.example" };

describe("The feature flags", () => {
  it("default to websockets and performance tracking on, mock data and development mode off", () => {
    expect(flagsOf(configuration)).to.include({
      websockets: true,
      performanceTracking: true,
      developmentMode: false,
      mockData: false,
    });
    const flags = { websockets: false, performanceTracking: false, developmentMode: true };
    expect(flagsOf({ ...configuration, flags })).to.include({ ...flags, mockData: false });
  });
});

describe("The telemetry of a request", () => {
  it("contains its method, route and result, and nothing that identifies the user", async () => {
    const { app, server, telemetry } = await startApp({ masks: [createMask("m1")] });
    const before = telemetry.spans.length;
    await app.masks.read("m1")();
    server.on("GET", "/masks/:id/stats", { status: 404 });
    await app.masks.statistics("secret-id")();
    server.on("GET", "/masks/:id", "unreachable");
    await app.masks.read("m1")();
    expect(telemetry.spans.slice(before)).to.deep.equal([
      {
        name: "GET /masks/:id",
        attributes: {
          "http.request.method": "GET",
          "http.route": "/masks/:id",
          "http.response.status_code": 200,
        },
      },
      {
        name: "GET /masks/:id/stats",
        attributes: {
          "http.request.method": "GET",
          "http.route": "/masks/:id/stats",
          "http.response.status_code": 404,
        },
      },
      {
        name: "GET /masks/:id",
        attributes: { "http.request.method": "GET", "http.route": "/masks/:id", "error.type": "network" },
      },
    ]);
  });

  it("is one entry for a request and its repetitions", async () => {
    const { app, server, telemetry, clock } = await startApp();
    await clock.advance(3_000);
    const before = telemetry.spans.length;
    server.on("GET", "/masks/:id", { status: 429 });
    void app.masks.read("m1")();
    await clock.advance(20_000);
    expect(server.requestsTo("GET /masks/m1")).to.have.length(4);
    expect(telemetry.spans.slice(before)).to.have.length(1);
  });

  it("is not recorded where performance is not tracked", async () => {
    const settings = { configuration: { ...configuration, flags: { performanceTracking: false } } };
    const { telemetry } = await startApp({ settings });
    expect(telemetry.spans).to.deep.equal([]);
  });

  it("includes how a session has ended", async () => {
    const { app, telemetry } = await startApp();
    await app.session.logOut()();
    expect(telemetry.events).to.deep.equal([{ name: "session.end", attributes: { reason: "log-out" } }]);
  });
});
