import { setTimeout as wait } from "node:timers/promises";
import type { Command } from "commander";
import * as E from "fp-ts/lib/Either.js";
import { createRulesAndSync } from "../../core/app/rulesAndSync.ts";
import { outputOf } from "../command.ts";
import { type Connection, connect } from "../login/connect.ts";
import type { Output } from "../output/output.ts";

/** A command with the app of its login. */
export interface Session extends Connection {
  readonly output: Output;
}

/** Sends the changes of rules that were made without a network. */
const sendWaitingRules = async ({ signedIn }: Connection, output: Output): Promise<void> => {
  if (!signedIn.hasUnsentRules()) return;
  const listed = await signedIn.masks.refresh()();
  if (E.isLeft(listed)) return;
  await signedIn.feature(createRulesAndSync).sync.syncNow();
  output.note(
    signedIn.hasUnsentRules()
      ? "Some changes of rules that wait here could not be sent."
      : "Sent the changes of rules that waited for a network.",
  );
};

/** Runs a command with the app, and stops the app afterwards. */
export const withApp =
  <Args extends readonly unknown[]>(
    work: (session: Session, ...args: Args) => Promise<void>,
    options: { readonly isLive?: boolean } = {},
  ) =>
  async (...given: readonly unknown[]): Promise<void> => {
    const command = given.at(-1) as Command;
    const output = outputOf(command);
    const connection = await connect(options);
    try {
      await sendWaitingRules(connection, output);
      await work({ ...connection, output }, ...(given.slice(0, -1) as unknown as Args));
    } finally {
      output.endProgress();
      // The copy of the list for a time without a network is kept by then.
      await wait(0);
      connection.stop();
    }
  };
