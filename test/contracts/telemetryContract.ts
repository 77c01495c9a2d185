import { expect } from "chai";
import type { Telemetry, TelemetryAttributes } from "../../core/ports/telemetry.ts";

export interface ToldRecord {
  readonly name: string;
  readonly attributes: TelemetryAttributes;
}

export interface TelemetrySubject {
  readonly telemetry: Telemetry;
  /** The received records, once there are this many. */
  readonly recorded: (
    events: number,
    spans: number,
  ) => Promise<{ readonly events: readonly ToldRecord[]; readonly spans: readonly ToldRecord[] }>;
  readonly stop?: () => void;
}

/** The tests that every telemetry adapter must pass. */
export const telemetryContract = (make: () => Promise<TelemetrySubject>): void => {
  let subject: TelemetrySubject;
  beforeEach(async () => {
    subject = await make();
  });
  afterEach(() => subject.stop?.());

  it("sends events in their order, with their attributes", async () => {
    subject.telemetry.event("session.end", { reason: "log-out" });
    subject.telemetry.event("socket.closed", { code: 1006, expected: false, share: 0.5 });
    const { events, spans } = await subject.recorded(2, 0);
    expect(events).to.deep.equal([
      { name: "session.end", attributes: { reason: "log-out" } },
      { name: "socket.closed", attributes: { code: 1006, expected: false, share: 0.5 } },
    ]);
    expect(spans).to.deep.equal([]);
  });

  it("sends an operation once it has ended, with the attributes from before and after", async () => {
    const end = subject.telemetry.span("GET /masks", { "http.request.method": "GET" });
    subject.telemetry.span("GET /account", {});
    end({ "http.response.status_code": 200 });
    const { spans } = await subject.recorded(0, 1);
    expect(spans).to.deep.equal([
      {
        name: "GET /masks",
        attributes: { "http.request.method": "GET", "http.response.status_code": 200 },
      },
    ]);
  });
};
