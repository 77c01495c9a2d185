import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { type FormEvent, useState } from "react";
import { readServerAddress } from "../../core/api/serverAddress.ts";
import { Button } from "../../web/ui/Button.tsx";
import { ProblemBanner } from "../../web/ui/feedback/ProblemBanner.tsx";
import { TextField } from "../../web/ui/form/TextField.tsx";
import { type Connection, type ExtensionPorts, storeConnection } from "../connection/connection.ts";
import { connectTo } from "../connection/connectTo.ts";
import styles from "./Options.module.css";

/** Checks what was typed at the server, and stores the connection; left is the sentence for the user. */
const connect = (ports: ExtensionPorts, typed: string, token: string): TE.TaskEither<string, Connection> =>
  pipe(
    TE.fromEither(readServerAddress(typed, (text) => URL.parse(text))),
    TE.chain((server) => connectTo(ports, { server, token: token.trim() })),
    TE.chain((connection) => storeConnection(ports, connection)),
  );

interface ConnectFormProps {
  readonly ports: ExtensionPorts;
  readonly onConnected: (connection: Connection) => void;
}

/** Connects this browser by the address of a server and an API token. */
export const ConnectForm = ({ ports, onConnected }: ConnectFormProps) => {
  const [server, setServer] = useState("");
  const [token, setToken] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isPending) return;
    setPending(true);
    const result = await connect(ports, server, token)();
    setPending(false);
    if (result._tag === "Left") setProblem(result.left);
    else onConnected(result.right);
  };
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <p>
        Log in to your Bauta server in this browser and press “Connect this browser” under Settings ›
        Programs. Or create an API token there and enter it here.
      </p>
      <ProblemBanner problem={problem === null ? null : { message: problem }} />
      <TextField
        label="Server address"
        placeholder="https://mail.example.org"
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        value={server}
        onChange={setServer}
      />
      <TextField
        label="API token"
        type="password"
        autoComplete="off"
        value={token}
        onChange={setToken}
        description="It begins with bauta_."
      />
      <div>
        <Button type="submit" variant="primary" isPending={isPending} pendingLabel="Connecting…">
          Connect
        </Button>
      </div>
    </form>
  );
};
