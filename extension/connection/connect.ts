// Runs in the page of a server for as long as a handover takes, after the user has pressed "Connect" in the popup there. It
// knows the page's origin alone, asks for a token, and passes on the one that is given with its code.
import { contentApi } from "../content/contentApi.ts";

const api = contentApi();

const noAnswer = "The extension did not answer. Reload this page and try again.";

const askEachMs = 1_000;

/** The end of the handover that this page knows of; a later one replaces it. */
let stop = (): void => {};

interface Task {
  readonly code: string;
  readonly until: number;
}

const isTask = (message: unknown): message is Task & { readonly kind: "handover" } =>
  (message as { readonly kind?: unknown } | null)?.kind === "handover";

const begin = ({ code, until }: Task): void => {
  stop();
  const { origin } = window.location;
  const send = (step: "ask" | "done", more: object): void =>
    window.postMessage({ bauta: "connect", step, code, ...more }, origin);
  const receive = ({ source, origin: from, data }: MessageEvent): void => {
    if (source !== window || from !== origin) return;
    const { bauta, step, code: given, token, path = "" } = Object(data) as Readonly<Record<string, unknown>>;
    if (bauta !== "connect" || step !== "give" || given !== code) return;
    if (typeof token !== "string" || typeof path !== "string") return;
    stop();
    void api.sendMessage({ kind: "token", code, token, path }).then(
      // A background that fails answers with nothing.
      (problem) =>
        send("done", { problem: typeof problem === "string" || problem === null ? problem : noAnswer }),
      () => send("done", { problem: noAnswer }),
    );
  };
  const ask = (): void => {
    if (Date.now() < until) send("ask", {});
    else stop();
  };
  const asking = setInterval(ask, askEachMs);
  stop = () => {
    clearInterval(asking);
    window.removeEventListener("message", receive);
  };
  window.addEventListener("message", receive);
  ask();
};

// Each press of "Connect" runs this file: two of them in one page would give a token twice.
const began = Symbol.for("bauta.connect");
const world = globalThis as { [began]?: true };
if (world[began] !== true) {
  world[began] = true;
  api.onMessage((message) => {
    if (isTask(message)) begin(message);
  });
}
