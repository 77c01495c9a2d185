import type { Socket } from "node:net";
import { timer } from "rxjs";
import { minuteMs } from "../../../core/kernel/durations.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Log } from "../../platform/ops/log.ts";
import { headerWithinMs } from "../smtpLimits.ts";
import { type ProxyHeader, readProxyHeader } from "./proxyHeader.ts";

/** Finds who is behind connections of balancers, before anything else reads from them. */
export interface BalancerSockets {
  /**
   * Calls `then` with the address that the connection comes from: of a balancer's, once the header of the PROXY protocol
   * says it. A balancer's connection without a valid header is cut off.
   */
  readonly identify: (socket: Socket, then: (socket: Socket, address: string) => void) => void;
  /** Cuts off the connections that wait for their header. */
  readonly stop: () => void;
}

interface BalancerDeps {
  readonly isBalancer: (address: string) => boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** Creates what reads the headers of balancers. */
export const createBalancerSockets = ({ isBalancer, clock, log }: BalancerDeps): BalancerSockets => {
  const waiting = new Set<Socket>();
  let loggedAt = Number.NEGATIVE_INFINITY;

  const cutOff = (socket: Socket): void => {
    socket.destroy();
    // A balancer that is set up wrongly connects often.
    if (clock.now() - loggedAt < minuteMs) return;
    loggedAt = clock.now();
    log.warn("a balancer of SMTP_PROXY_PROTOCOL_FROM sent no valid header of the PROXY protocol, version 2");
  };

  const readHeader = (socket: Socket, onRead: (address: string | null) => void): void => {
    let bytes: Buffer = Buffer.alloc(0);
    waiting.add(socket);
    const onTime = timer(headerWithinMs, clock.scheduler).subscribe(() => end({ kind: "invalid" }));
    const forget = (): void => {
      waiting.delete(socket);
      onTime.unsubscribe();
      socket.off("readable", read).off("end", giveUp).off("close", forget);
    };
    const end = (header: ProxyHeader): void => {
      forget();
      if (header.kind !== "whole") {
        cutOff(socket);
        return;
      }
      if (bytes.length > header.length) socket.unshift(bytes.subarray(header.length));
      // NOTE: to hand over the socket at once loses its bytes: it flows again when no listener waits for it to be readable, which
      // it notices after this turn only.
      setImmediate(() => {
        if (socket.destroyed || socket.readableEnded) socket.destroy();
        else onRead(header.address);
      });
    };
    const giveUp = (): void => end({ kind: "invalid" });
    const read = (): void => {
      for (let more: Buffer | null = socket.read(); more !== null; more = socket.read())
        bytes = Buffer.concat([bytes, more]);
      const header = readProxyHeader(bytes);
      if (header.kind !== "incomplete") end(header);
    };
    socket.on("readable", read).on("end", giveUp).on("close", forget);
  };

  return {
    identify: (socket, then) => {
      const own = socket.remoteAddress ?? "";
      if (!isBalancer(own)) {
        then(socket, own);
        return;
      }
      // A connection that breaks before it is known is the balancer's problem.
      socket.on("error", () => {});
      readHeader(socket, (address) => then(socket, address ?? own));
    },
    stop: () => {
      for (const socket of waiting) socket.destroy();
    },
  };
};
