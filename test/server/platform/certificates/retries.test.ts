import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { pino } from "pino";
import { VirtualTimeScheduler } from "rxjs";
import { minuteMs } from "../../../../core/kernel/durations.ts";
import { createCertificates } from "../../../../server/platform/certificates/certificates.ts";
import { freePort } from "../../../support/freePort.ts";
import { useTemporaryFolder } from "../../support/temporaryFolder.ts";
import { until } from "../../support/until.ts";

describe("A first certificate that cannot be ordered", () => {
  const folder = useTemporaryFolder();

  const start = (directoryUrl: string) => {
    const scheduler = new VirtualTimeScheduler();
    const logged: { readonly at: number; readonly reason: unknown; readonly msg: string }[] = [];
    const log = pino(
      { level: "error" },
      { write: (line: string) => void logged.push({ ...JSON.parse(line), at: scheduler.now() }) },
    );
    const certificates = createCertificates({
      directoryUrl,
      email: "me@example.org",
      names: ["app.example.org"],
      optionalNames: [],
      folder: join(folder(), "tls"),
      clock: { now: () => Date.now(), scheduler },
      log,
    });
    /** Runs the next timer, and waits for the order that it begins to fail. */
    const next = async (): Promise<void> => {
      const { length } = logged;
      const [action] = scheduler.actions;
      scheduler.maxFrames = action?.delay ?? scheduler.frame;
      scheduler.flush();
      await until("an order has failed", () => logged.length > length);
    };
    return { stop: certificates.start(), logged, next };
  };

  it("is tried again after 1, 2, 5 and 15 minutes, then each hour, and says so", async () => {
    const { stop, logged, next } = start(`http://127.0.0.1:${await freePort()}/directory`);
    await until("an order has failed", () => logged.length > 0);
    for (let retry = 0; retry < 6; retry++) await next();
    stop();
    const at = logged.map((one) => one.at / minuteMs);
    expect(at.map((minute, index) => minute - (at[index - 1] ?? 0))).to.deep.equal([0, 1, 2, 5, 15, 60, 60]);
    expect(logged[1]?.msg).to.equal("ordering a certificate failed: the server retries in 2 minutes");
  });

  it("says why the authority cannot be reached", async () => {
    const port = await freePort();
    for (const [address, reason] of [
      [
        `http://127.0.0.1:${port}/directory`,
        `127.0.0.1:${port} cannot be reached: it refuses the connection`,
      ],
      [
        "http://authority.invalid/directory",
        /^authority\.invalid cannot be reached: DNS does not (?:know the name|answer)$/,
      ],
    ] as const) {
      const { stop, logged } = start(address);
      await until("an order has failed", () => logged.length > 0);
      stop();
      if (typeof reason === "string") expect(logged[0]?.reason).to.equal(reason);
      else expect(logged[0]?.reason).to.match(reason);
    }
  });

  it("says when what answers is no authority", async () => {
    const server = createServer((_request, response) => response.end("<html>Welcome</html>"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const { stop, logged } = start(`http://127.0.0.1:${port}/directory`);
    await until("an order has failed", () => logged.length > 0);
    stop();
    server.close();
    expect(logged[0]?.reason).to.equal("the authority's answer cannot be read");
  });
});
