import { Observable, type Subscriber } from "rxjs";
import type { OpenTextStream, TextStreamEvent } from "../../core/ports/textStream.ts";

/** A server of answers that go on. */
export interface FakeTextStream {
  readonly open: OpenTextStream;
  /** The headers of the requests so far. */
  readonly requests: readonly Readonly<Record<string, string>>[];
  /** The number of answers that go on. */
  readonly openCount: () => number;
  /** The status of the next answers; 200 at first. */
  readonly answerWith: (status: number) => void;
  readonly send: (text: string) => void;
  /** Sends a message as an event with its own id, and returns the id. */
  readonly tell: (message: object) => string;
  readonly end: () => void;
}

export const createFakeTextStream = (): FakeTextStream => {
  const requests: Readonly<Record<string, string>>[] = [];
  const readers = new Set<Subscriber<TextStreamEvent>>();
  let status = 200;
  let told = 0;
  const send = (text: string): void => {
    for (const reader of readers) reader.next({ kind: "text", text });
  };
  return {
    open: (_url, headers) =>
      new Observable((reader) => {
        requests.push(headers);
        reader.next({ kind: "answered", status });
        if (status !== 200) return reader.complete();
        readers.add(reader);
        return () => readers.delete(reader);
      }),
    requests,
    openCount: () => readers.size,
    answerWith: (next) => {
      status = next;
    },
    send,
    tell: (message) => {
      told += 1;
      send(`id: e${told}\ndata: ${JSON.stringify({ timestamp: 0, ...message })}\n\n`);
      return `e${told}`;
    },
    end: () => {
      for (const reader of readers) reader.complete();
    },
  };
};
