import { Observable } from "rxjs";
import type { OpenTextStream } from "../../core/ports/textStream.ts";

/** The port for answers that go on, over `fetch`. A stream that nobody reads any more is ended. */
export const openFetchTextStream: OpenTextStream = (url, headers) =>
  new Observable((subscriber) => {
    const ended = new AbortController();
    const read = async (): Promise<void> => {
      const { signal } = ended;
      const { status, body } = await fetch(url, { headers, credentials: "omit", cache: "no-store", signal });
      subscriber.next({ kind: "answered", status });
      if (status !== 200 || body === null) return;
      const decoder = new TextDecoder();
      const reader = body.getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read())
        subscriber.next({ kind: "text", text: decoder.decode(part.value, { stream: true }) });
    };
    const complete = (): void => subscriber.complete();
    read().then(complete, complete);
    return () => ended.abort();
  });
