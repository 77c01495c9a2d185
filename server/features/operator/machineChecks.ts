import { createSocket } from "node:dgram";
import { statfs } from "node:fs/promises";
import { dayMs } from "../../../core/kernel/durations.ts";
import { newestBackupAt } from "../../platform/backup/newestBackup.ts";
import { type Check, ok, problem, unknown, warning } from "./check.ts";

const gigabyte = 1_000_000_000;
const leastFreeBytes = gigabyte;

/** Checks that the data folder's disk has a gigabyte left. */
export const checkDisk = async (dataDir: string): Promise<Check> => {
  const disk = await statfs(dataDir).catch(() => null);
  if (disk === null)
    return problem(
      "disk",
      `${dataDir} cannot be read`,
      "Start the server once, or set DATA_DIR to its folder",
    );
  const free = disk.bavail * disk.bsize;
  const is = `${(free / gigabyte).toFixed(1)} GB free`;
  return free >= leastFreeBytes
    ? ok("disk", is)
    : problem("disk", is, `Make room for ${dataDir}: without it mail is refused for a time`);
};

/** Checks that the newest backup is younger than a day. */
export const checkBackups = async (folder: string, now: number): Promise<Check> => {
  const newest = await newestBackupAt(folder);
  if (newest === null)
    return warning("backup", "none", "Run `bauta backup` daily, and keep copies elsewhere");
  const days = Math.floor((now - newest) / dayMs);
  return days < 2
    ? ok("backup", days < 1 ? "of today" : "of yesterday")
    : warning("backup", `${days} days old`, "Run `bauta backup` daily, and keep copies elsewhere");
};

const ntpEpochMs = 2_208_988_800_000;
const ntpTimeoutMs = 3_000;
const ntpPacketBytes = 48;
const tolerableMs = 10_000;

/** Queries a time server (RFC 5905, SNTP) in milliseconds since 1970. */
const askTime = ({ host, port }: TimeServer): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = createSocket("udp4");
    let isSettled = false;
    const settle = (end: () => void): void => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timeout);
      socket.close();
      end();
    };
    const fail = (error: Error): void => settle(() => reject(error));
    const timeout = setTimeout(() => fail(new Error("no answer")), ntpTimeoutMs);
    socket.on("error", fail);
    socket.on("message", (packet) => {
      if (packet.length < ntpPacketBytes) return fail(new Error("no time"));
      const fraction = packet.readUInt32BE(44) / 2 ** 32;
      settle(() => resolve((packet.readUInt32BE(40) + fraction) * 1_000 - ntpEpochMs));
    });
    const request = Buffer.alloc(ntpPacketBytes);
    request[0] = 0x23;
    socket.send(request, port, host, (error) => error && fail(error));
  });

export interface TimeServer {
  readonly host: string;
  readonly port: number;
}

/** Checks that the clock is right within ten seconds, because certificates and signatures depend on it. */
export const checkClock = async (now: () => number, server: TimeServer): Promise<Check> => {
  try {
    const offMs = Math.abs((await askTime(server)) - now());
    const is = `${(offMs / 1_000).toFixed(1)} s off`;
    return offMs <= tolerableMs
      ? ok("clock", is)
      : problem("clock", is, "Let the system set it: timedatectl set-ntp true");
  } catch {
    return unknown("clock", `${server.host} does not answer`, "Name another time server with --time-server");
  }
};
