import { setTimeout as wait } from "node:timers/promises";
import type { Command } from "commander";
import * as E from "fp-ts/lib/Either.js";
import { filter, type Subscription } from "rxjs";
import { createRulesAndSync } from "../../core/app/rulesAndSync.ts";
import { createAccountProof } from "../../core/passkeys/accountProof.ts";
import { outputOf } from "../command.ts";
import { Stop, stopFor } from "../exits.ts";
import { type Connection, connect } from "../login/connect.ts";
import { run } from "../masks.ts";
import type { Output } from "../output/output.ts";
import { ask } from "../prompt.ts";

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

/** Asks for the code with which the user confirms that it is them, as often as they mistype it; false when that is not possible. */
const confirmByCode = async ({ signedIn }: Connection, output: Output): Promise<boolean> => {
  const { sendCode, proveByCode } = signedIn.feature(createAccountProof);
  try {
    output.endProgress();
    output.note("The server wants to know that it is you, and mails you a code.");
    await run(sendCode());
    for (;;) {
      const proven = await proveByCode(await ask("Code from the mail"))();
      if (E.isRight(proven)) return true;
      output.note(stopFor(proven.left).message);
      if (proven.left.fields.length === 0) return false;
    }
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    output.note(error.message);
    return false;
  }
};

/** Answers the questions whether it is the user, which changes wait for; a change is given up where nobody can be asked. */
const answerProofQuestions = (connection: Connection, output: Output): Subscription =>
  connection.signedIn.proofQuestion$.pipe(filter((question) => question !== null)).subscribe((question) => {
    void confirmByCode(connection, output).then(question.answer, () => question.answer(false));
  });

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
    const questions = answerProofQuestions(connection, output);
    try {
      await sendWaitingRules(connection, output);
      // Commander passes what the command declares, which `work` names as its arguments.
      await work({ ...connection, output }, ...(given.slice(0, -1) as unknown as Args));
    } finally {
      questions.unsubscribe();
      output.endProgress();
      // The copy of the list for a time without a network is kept by then.
      await wait(0);
      connection.stop();
    }
  };
