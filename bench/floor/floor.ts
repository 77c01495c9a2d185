import { spawn } from "node:child_process";
import { join } from "node:path";
import { until } from "../../test/server/support/until.ts";
import { freePort } from "../../test/support/freePort.ts";
import { measureMail, type StartSubject } from "../mail/mail.ts";
import { accepts, ticksOf } from "../mail/process.ts";
import type { BareOptions } from "./bareRelay.ts";

/** Of a copy: none, that of DKIM, and that of DKIM with the two of an ARC seal. */
const signatureCounts = [0, 1, 3] as const;

const bareRelay =
  (signatures: number): StartSubject =>
  async ({ folder, nextHop, recipients }) => {
    const port = await freePort();
    const file = join(folder, `mails-${port}`);
    const options: BareOptions = { port, nextHop, file, connections: 50, signatures };
    const relay = spawn(process.execPath, [join(import.meta.dirname, "bareRelay.ts")], {
      env: { ...process.env, BARE_RELAY: JSON.stringify(options) },
      stdio: "inherit",
    });
    await until("the bare relay accepts connections", () => accepts(port));
    return {
      name: `bare Node, ${signatures} signatures of a copy`,
      port,
      recipients,
      cpuTicks: () => ticksOf(relay.pid ?? 0),
      stop: async () => void relay.kill(),
    };
  };

/**
 * Measures the least that the work of a mail costs in Node, beside Postfix and the product: what the product could reach
 * with the same two threads if all that it does besides cost nothing. `BENCH_CASES` names some of the cases.
 */
export const run = (): Promise<void> => measureMail(signatureCounts.map(bareRelay));
