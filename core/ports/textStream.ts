import type { Observable } from "rxjs";

export type TextStreamEvent =
  /** The status of the answer; always the first event. */
  { readonly kind: "answered"; readonly status: number } | { readonly kind: "text"; readonly text: string };

/**
 * Sends a GET request without cookies whose answer goes on until one side ends it. Completes when the answer has ended, also by a
 * lost connection; only an answer with a status of 200 has a text.
 */
export type OpenTextStream = (
  url: string,
  headers: Readonly<Record<string, string>>,
) => Observable<TextStreamEvent>;
