import { telemetryContract } from "../contracts/telemetryContract.ts";
import { makeFakeTelemetry } from "./fakeTelemetry.ts";

describe("The operator who watches everything", () => {
  telemetryContract(async () => {
    const telemetry = makeFakeTelemetry();
    return { telemetry, told: async () => telemetry };
  });
});
