import { readFileSync } from "node:fs";
import { connect } from "node:net";

/** Returns the processor time of a process and of its children that have ended, in clock ticks of 10 ms. */
export const ticksOf = (pid: number | string): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
};

/** Returns whether a process listens on a port. */
export const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    }).on("error", () => resolve(false));
  });
