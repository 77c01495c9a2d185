import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { CommanderError } from "commander";
import { exits, Stop } from "../../../cli/exits.ts";
import { createProgram } from "../../../cli/program.ts";
import type { HttpMethod } from "../../../core/ports/http.ts";
import type { Run } from "./program.ts";

/** A request that a command sent. */
interface Sent {
  readonly call: string;
  readonly body: unknown;
}

/** A server of scripted answers, and the commands in this process with a token there. */
export interface CommandsHere {
  readonly url: string;
  /** Answers a call from now on; others get 404. */
  readonly on: (method: HttpMethod, path: string, json: unknown, status?: number) => void;
  readonly sent: readonly Sent[];
  readonly run: (...words: readonly string[]) => Promise<Run>;
  readonly close: () => Promise<void>;
}

/** Collects what is written to an output of this process, until put back. */
const capture = (output: NodeJS.WriteStream) => {
  let text = "";
  const { write } = output;
  output.write = ((chunk: string) => {
    text += chunk;
    return true;
  }) as typeof write;
  return {
    text: () => text,
    putBack: () => {
      output.write = write;
    },
  };
};

/** Runs commands without a process of their own, so that a test of what they say takes some milliseconds. */
export const commandsHere = async (): Promise<CommandsHere> => {
  const answers = new Map<string, { readonly status: number; readonly json: unknown }>();
  const sent: Sent[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const call = `${request.method} ${request.url?.split("?")[0]}`;
    sent.push({ call, body: body === "" ? undefined : JSON.parse(body) });
    const { status, json } = answers.get(call) ?? { status: 404, json: { message: "There is no such call" } };
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const exitOf = (error: unknown, say: (text: string) => void): number => {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exits.done : exits.usage;
    if (!(error instanceof Stop)) throw error;
    say(`${error.message}\n`);
    return error.exit;
  };
  return {
    url,
    on: (method, path, json, status = 200) => void answers.set(`${method} ${path}`, { status, json }),
    sent,
    run: async (...words) => {
      const before = { ...process.env };
      Object.assign(process.env, { BAUTA_TOKEN: "bauta_token", BAUTA_SERVER: url, NO_COLOR: "1" });
      const [out, errors] = [capture(process.stdout), capture(process.stderr)];
      let said = "";
      try {
        const code = await createProgram("0")
          .parseAsync(words, { from: "user" })
          .then(
            () => exits.done,
            (error: unknown) =>
              exitOf(error, (text) => {
                said = text;
              }),
          );
        return { code, out: out.text(), errors: errors.text() + said };
      } finally {
        for (const one of [out, errors]) one.putBack();
        process.env = before;
      }
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};
