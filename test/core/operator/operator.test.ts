import { expect } from "chai";
import { minuteMs } from "../../../core/kernel/durations.ts";
import { createOperator, type Operator } from "../../../core/operator/operator.ts";
import { type AppOnFakes, startApp } from "../../fakes/appOnFakes.ts";
import { createCheck, createChecks, createOverview } from "../../fakes/productOperator.ts";
import { settled } from "../../fakes/virtualClock.ts";

describe("The operator's figures and checks", () => {
  let fakes: AppOnFakes;
  let operator: Operator;
  beforeEach(async () => {
    fakes = await startApp();
    fakes.server.on("GET", "/operator", { json: createOverview() });
    fakes.server.on("GET", "/operator/checks", { json: createChecks([createCheck("MX", "problem")]) });
    operator = fakes.signedIn().feature(createOperator);
  });
  afterEach(() => fakes.stop());

  const checkCount = (): number => fakes.server.requestsTo("GET /operator/checks").length;
  const overviewCount = (): number => fakes.server.requestsTo("GET /operator").length;

  it("are requested only while the page is open, the figures every 30 seconds", async () => {
    await fakes.clock.advance(minuteMs);
    expect([overviewCount(), checkCount()]).to.deep.equal([0, 0]);
    const close = operator.open();
    await settled();
    expect(operator.view$.value.overview?.queue.waiting).to.equal(12);
    await fakes.clock.advance(minuteMs);
    expect(overviewCount()).to.equal(3);
    close();
    await fakes.clock.advance(5 * minuteMs);
    expect(overviewCount()).to.equal(3);
  });

  it("ask DNS again every 15 seconds until nothing is missing, and then no more", async () => {
    operator.open();
    await fakes.clock.advance(minuteMs);
    expect(checkCount()).to.equal(5);
    fakes.server.on("GET", "/operator/checks", { json: createChecks([createCheck("MX")]) });
    await fakes.clock.advance(15_000);
    expect(operator.view$.value.checks?.dns[0]?.state).to.equal("ok");
    await fakes.clock.advance(10 * minuteMs);
    expect(checkCount()).to.equal(6);
  });

  it("ask DNS for an hour at most; a refresh asks once more", async () => {
    operator.open();
    await fakes.clock.advance(60 * minuteMs);
    expect(checkCount()).to.equal(240);
    await fakes.clock.advance(60 * minuteMs);
    expect(checkCount()).to.equal(240);
    await operator.refresh()();
    expect(checkCount()).to.equal(241);
  });

  it("keep the last figures and say why they are old when the server fails", async () => {
    operator.open();
    await settled();
    fakes.server.on("GET", "/operator", { status: 403, json: { message: "This page is not yours." } });
    await fakes.clock.advance(30_000);
    expect(operator.view$.value.overview?.queue.waiting).to.equal(12);
    expect(operator.view$.value.overviewMessage).to.equal("This page is not yours.");
  });
});
