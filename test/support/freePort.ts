import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

/** Systems give outgoing connections ports from 32768 on, which are taken at any time; nobody takes those before. */
const [first, end] = [10_240, 32_768];

/** Returns a port of this machine that neither TCP nor UDP use, and that no outgoing connection gets. */
export const freePort = async (): Promise<number> => {
  const port = randomInt(first, end);
  const tcp = createServer();
  const udp = createSocket("udp4");
  try {
    await Promise.all([
      once(tcp.listen(port, "127.0.0.1"), "listening"),
      once(udp.bind(port, "127.0.0.1"), "listening"),
    ]);
    return port;
  } catch {
    return await freePort();
  } finally {
    await new Promise((closed) => tcp.close(closed));
    await new Promise<void>((closed) => udp.close(() => closed()));
  }
};
