import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "../../test/server/support/client.ts";
import { signUpByMail } from "../../test/server/support/signUpByMail.ts";
import type { Sink } from "../../test/server/support/sink.ts";
import { openSocket, type SocketClient } from "../../test/server/support/socketClient.ts";
import { until } from "../../test/server/support/until.ts";

const owner = "owner@example.org";
const sockets = 6;
const againAfterMs = 200;

/** A user of the cluster, whose page keeps some sockets open. */
export interface ClusterUser {
  readonly mask: string;
  /** Waits until all sockets are open; returns the longest time that one was not, since the last call. */
  readonly socketsBack: () => Promise<number>;
  readonly leave: () => void;
}

/** Signs up at the cluster and opens the sockets; they are opened again whenever they end. */
export const enterCluster = async (url: string, sink: Sink): Promise<ClusterUser> => {
  const client = createClient(url);
  const mask = await signUpByMail(client, sink, owner);
  let isGone = false;
  let longestMs = 0;
  const open = new Map<number, SocketClient>();
  const keep = async (n: number): Promise<void> => {
    let downSince = performance.now();
    while (!isGone) {
      try {
        const socket = await openSocket(url, client, {
          clientId: `cluster-${n}-01234567`,
          handshakeTimeout: 2_000,
        });
        socket.socket.on("error", () => {});
        longestMs = Math.max(longestMs, performance.now() - downSince);
        open.set(n, socket);
        await socket.closed;
        open.delete(n);
        downSince = performance.now();
      } catch (error) {
        // A session's token lasts for minutes.
        if (/^40[13]$/.test(error instanceof Error ? error.message : "")) await refresh();
      }
      await sleep(againAfterMs);
    }
  };
  const refresh = async (): Promise<void> => {
    const { status, json } = await client
      .call("POST", "/auth/refresh-token")
      .catch(() => ({ status: 0, json: null }));
    if (status === 200) client.token = (json as { token: string }).token;
  };
  for (let n = 0; n < sockets; n += 1) void keep(n);
  const allOpen = () => until("all sockets are open", () => open.size === sockets, 120_000);
  await allOpen();
  longestMs = 0;
  return {
    mask,
    socketsBack: async () => {
      await allOpen();
      const longest = longestMs;
      longestMs = 0;
      return longest;
    },
    leave: () => {
      isGone = true;
      for (const { socket } of open.values()) socket.terminate();
    },
  };
};
