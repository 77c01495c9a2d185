import { startServer } from "../../test/e2e/support/server.ts";
import { createBenchAccount } from "../page/account.ts";

const masks = 10_000;

/** Measures how long a list of 10,000 masks takes: its first page, and all of it before and after it is cached. */
export const measureLongList = async (): Promise<void> => {
  const server = await startServer({ LOG_LEVEL: "silent" });
  try {
    const { kept, token } = await createBenchAccount(server, masks);
    const cookie = kept.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    const take = async (name: string, path: string): Promise<void> => {
      const began = performance.now();
      const response = await fetch(`${server.url}${path}`, {
        headers: { authorization: `Bearer ${token}`, cookie },
      });
      const bytes = (await response.arrayBuffer()).byteLength;
      const ms = (performance.now() - began).toFixed(0);
      const sent = response.headers.get("content-length");
      console.log(
        `${name.padEnd(58)}  ${response.status}  ${ms.padStart(5)} ms  ${sent} of ${bytes} bytes sent`,
      );
    };
    await take("one mask, which warms the server", "/masks?limit=1");
    await take(`the first 100 of ${masks} masks`, "/masks?limit=100");
    await take(`all ${masks} masks`, "/masks");
    await take(`all ${masks} masks, unchanged`, "/masks");
  } finally {
    await server.stop();
    await server.removeData();
  }
};
