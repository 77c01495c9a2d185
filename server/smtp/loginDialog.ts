import { continueLogin, type LoginStep, type OpenLogin, startLogin } from "./login.ts";
import * as answers from "./sessionAnswers.ts";
import type { BeginTransaction, Submission } from "./smtpTransaction.ts";
import { endingGroup, type Step, stepOf } from "./step.ts";

/** The answer to a line of a login; `begin` is set once it has succeeded. */
export interface LoginResult {
  readonly step: Step;
  readonly begin: BeginTransaction | null;
}

/** Failed logins before the connection is closed. */
const maxFailures = 3;

/** The logins of one connection. */
export class LoginDialog {
  readonly #submission: Submission;
  readonly #remoteAddress: string;
  #open: OpenLogin | null = null;
  #failures = 0;

  constructor(submission: Submission, remoteAddress: string) {
    this.#submission = submission;
    this.#remoteAddress = remoteAddress;
  }

  /** True if the next line is an answer of the client and no command. */
  get isOpen(): boolean {
    return this.#open !== null;
  }

  start(argument: string): LoginResult | Promise<LoginResult> {
    return this.#take(startLogin(argument));
  }

  continue(line: string): LoginResult | Promise<LoginResult> {
    const open = this.#open;
    this.#open = null;
    if (!open) throw new Error("no login is open");
    return this.#take(continueLogin(open, line));
  }

  #take(step: LoginStep): LoginResult | Promise<LoginResult> {
    if (step.kind === "refused") return { step: stepOf(step.reply), begin: null };
    if (step.kind === "login") return this.#check(step);
    this.#open = step.open;
    const question = { code: 334, text: step.text, next: { kind: "command" }, endsGroup: true } as const;
    return { step: question, begin: null };
  }

  async #check({ login }: LoginStep & { readonly kind: "login" }): Promise<LoginResult> {
    const result = await this.#submission.authenticate(login, this.#remoteAddress);
    if (typeof result === "function") return { step: endingGroup(answers.loggedIn), begin: result };
    this.#failures += 1;
    return { step: this.#failures < maxFailures ? stepOf(result) : answers.tooManyLogins, begin: null };
  }
}
