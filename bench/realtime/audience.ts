import { WebSocket } from "ws";
import type { Place } from "./subject.ts";

/** Many open sockets that report when they receive a message. */
export interface Audience {
  /** Resolves when all sockets have received a message that contains `name`, with the time each waited, in ms. */
  readonly hears: (name: string) => Promise<readonly number[]>;
  readonly leave: () => void;
}

const atOnce = 50;

const enter = (place: Place, received: (text: string) => void): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(place.address, { headers: place.headers, perMessageDeflate: false });
    socket.on("message", (data) => received(String(data)));
    socket.on("error", reject);
    socket.on("open", () => {
      for (const text of place.hello) socket.send(text);
      resolve(socket);
    });
  });

export const seat = async (places: readonly Place[]): Promise<Audience> => {
  let received = (_text: string): void => {};
  const sockets: WebSocket[] = [];
  for (let from = 0; from < places.length; from += atOnce)
    sockets.push(
      ...(await Promise.all(
        places.slice(from, from + atOnce).map((place) => enter(place, (text) => received(text))),
      )),
    );
  return {
    hears: (name) =>
      new Promise((resolve) => {
        const began = performance.now();
        const waits: number[] = [];
        received = (text) => {
          if (!text.includes(name)) return;
          waits.push(performance.now() - began);
          if (waits.length === sockets.length) resolve(waits);
        };
      }),
    leave: () => {
      for (const socket of sockets) socket.terminate();
    },
  };
};
