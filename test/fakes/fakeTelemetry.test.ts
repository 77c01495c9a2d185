import { telemetryContract } from "../contracts/telemetryContract.ts";
import { createFakeTelemetry } from "./fakeTelemetry.ts";

describe("The fake telemetry", () => {
  telemetryContract(async () => {
    const telemetry = createFakeTelemetry();
    return { telemetry, recorded: async () => telemetry };
  });
});
