import type { Clock } from "../../core/ports/clock.ts";
import type { Envelope } from "../mime/rawMail.ts";
import { type Command, parseCommand, parsePath } from "./commandLine.ts";
import type { IncomingContent } from "./incomingContent.ts";
import { LoginDialog, type LoginResult } from "./loginDialog.ts";
import { readMailOptions, recipientRefusal } from "./mailParameters.ts";
import * as answers from "./sessionAnswers.ts";
import { firstGuessDelayMs, freeGuesses, longestGuessDelayMs, maxRecipientsPerMail } from "./smtpLimits.ts";
import { replyToError, type SmtpReply } from "./smtpReplies.ts";
import type { BeginTransaction, SmtpTransaction, Submission } from "./smtpTransaction.ts";
import { endingGroup, lastStepOf, type Step, silentStep, stepOf } from "./step.ts";

export interface SessionDeps {
  readonly name: string;
  readonly remoteAddress: string;
  /** Begins transactions without a login; null where a login is required. */
  readonly beginTransaction: BeginTransaction | null;
  /** Checks logins, over TLS only; null where there are none. */
  readonly submission: Submission | null;
  readonly createContent: (declaredSize: number) => IncomingContent;
  readonly clock: Pick<Clock, "now">;
  /** Called when a stranger was refused a recipient for good. */
  readonly onRecipientRefused: () => void;
  /** Called with an exception of a transaction, which gets a temporary error as its answer. */
  readonly onError: (error: unknown) => void;
}

/** A transaction from MAIL to its end, with its protocol state. */
interface OpenTransaction {
  readonly handlers: SmtpTransaction;
  readonly sender: string;
  readonly smtpUtf8: boolean;
  readonly size: number;
  recipients: number;
  content: IncomingContent | null;
  isContentRefused: boolean;
}

/** Only the postmaster may be without a domain (RFC 5321, 4.5.1). */
const isRecipient = (address: string): boolean =>
  address.includes("@") || address.toLowerCase() === "postmaster";

const maxHeloLength = 255;
const maxChunkDigits = 10;

/** The SMTP protocol of one connection, without sockets. */
export class SmtpSession {
  readonly #deps: SessionDeps;
  #offersTls: boolean;
  #isSecure: boolean;
  #helo: string | false = false;
  #isExtended = false;
  #transaction: OpenTransaction | null = null;
  #begin: BeginTransaction | null;
  /** Unknown recipients of the connection, whose answers wait when there are many. */
  #guesses = 0;
  readonly #logins: LoginDialog | null;

  constructor(deps: SessionDeps, tls: { readonly offersTls: boolean; readonly isSecure: boolean }) {
    this.#deps = deps;
    this.#offersTls = tls.offersTls;
    this.#isSecure = tls.isSecure;
    this.#begin = deps.beginTransaction;
    this.#logins = deps.submission && new LoginDialog(deps.submission, deps.remoteAddress);
  }

  command(line: string): Step | Promise<Step> {
    if (this.#logins?.isOpen) return this.#login(this.#logins.continue(line));
    const command = parseCommand(line);
    switch (command.verb) {
      case "MAIL":
        return this.#mail(command);
      case "RCPT":
        return this.#rcpt(command);
      case "DATA":
        return endingGroup(this.#data(command));
      case "BDAT":
        return this.#bdat(command);
      case "EHLO":
      case "HELO":
        return this.#hello(command);
      case "RSET":
        return this.#rset(command);
      case "NOOP":
        return answers.ok;
      case "QUIT":
        return answers.bye;
      case "VRFY":
        return command.argument === "" ? answers.vrfySyntax : answers.notVerified;
      case "STARTTLS":
        return endingGroup(this.#startTls(command));
      case "AUTH":
        return this.#auth(command);
      case "EXPN":
      case "HELP":
      case "TURN":
        return answers.notImplemented;
      default:
        return answers.unknownCommand(line);
    }
  }

  /** Ends a transaction whose mail does not arrive. */
  reset(): void {
    this.#transaction?.handlers.end();
    this.#transaction?.content?.discard();
    this.#transaction = null;
  }

  /** Resets the state when TLS starts (RFC 3207, 4.2). */
  secured(): void {
    this.reset();
    this.#helo = false;
    this.#offersTls = false;
    this.#isSecure = true;
    this.#begin = this.#deps.beginTransaction;
  }

  /** Returns the arriving content, created on demand. Null when its bytes must be dropped. */
  content(): IncomingContent | null {
    const transaction = this.#transaction;
    if (!transaction) return null;
    transaction.content ??= this.#deps.createContent(transaction.size);
    return transaction.content;
  }

  /** Answers a complete BDAT chunk that is not the last; with the refusal as soon as there is one (RFC 3030, 2). */
  chunkArrived(): Step {
    const transaction = this.#transaction;
    if (!transaction) return answers.needRecipient;
    const refusal = transaction.content?.refusal();
    return refusal ? this.#refuseContent(transaction, refusal) : answers.chunkTaken;
  }

  /** Answers a mail whose content is complete. */
  async contentArrived(): Promise<Step> {
    const transaction = this.#transaction;
    const content = transaction?.content;
    this.#transaction = null;
    if (!transaction || !content) return answers.needRecipient;
    try {
      const arrived = await content.finish();
      if (arrived.kind === "refused") return this.#refuseContent(transaction, arrived.reply);
      const envelope = this.#envelopeOf(transaction);
      const refusal = await transaction.handlers.onMail({ envelope, content: arrived.content });
      return refusal ? this.#refused(refusal) : answers.queued;
    } catch (error) {
      this.#deps.onError(error);
      return stepOf(replyToError(error));
    } finally {
      transaction.handlers.end();
      content.discard();
    }
  }

  /** Reports the refusal once, although a client may send more chunks after it. */
  #refuseContent(transaction: OpenTransaction, reply: SmtpReply): Step {
    if (!transaction.isContentRefused) transaction.handlers.onContentRefused?.(reply);
    transaction.isContentRefused = true;
    return stepOf(reply);
  }

  #envelopeOf({ sender, smtpUtf8 }: OpenTransaction): Envelope {
    const secured = this.#isSecure ? "ESMTPS" : "ESMTP";
    return {
      sender,
      helo: this.#helo,
      remoteAddress: this.#deps.remoteAddress,
      protocol: this.#isExtended ? secured : "SMTP",
      smtpUtf8,
      receivedAt: this.#deps.clock.now(),
    };
  }

  #hello({ verb, argument }: Command): Step {
    if (argument === "" || argument.length > maxHeloLength || /[\s\x00-\x1f\x7f]/.test(argument))
      return answers.heloSyntax;
    this.reset();
    this.#helo = argument.toLowerCase();
    this.#isExtended = verb === "EHLO";
    return answers.hello(this.#deps.name, this.#isExtended, {
      tls: this.#offersTls,
      login: this.#logins !== null && this.#isSecure && this.#begin === null,
    });
  }

  #auth({ argument }: Command): Step | Promise<Step> {
    if (!this.#logins) return answers.notImplemented;
    if (this.#helo === false) return answers.needHello;
    if (!this.#isSecure) return answers.loginNeedsTls;
    if (this.#begin) return answers.alreadyLoggedIn;
    return this.#login(this.#logins.start(argument));
  }

  #login(result: LoginResult | Promise<LoginResult>): Step | Promise<Step> {
    if (result instanceof Promise)
      return result.then(
        (done) => this.#loginStep(done),
        (error) => this.#failed(error),
      );
    return this.#loginStep(result);
  }

  #loginStep({ step, begin }: LoginResult): Step {
    this.#begin = begin;
    return step;
  }

  #failed(error: unknown): Step {
    this.#deps.onError(error);
    return stepOf(replyToError(error));
  }

  #mail({ argument }: Command): Step | Promise<Step> {
    if (this.#helo === false) return answers.needHello;
    const begin = this.#begin;
    if (!begin) return this.#isSecure ? answers.needLogin : answers.needTls;
    const path = parsePath("FROM", argument);
    if (!path || (path.address !== "" && !path.address.includes("@"))) return answers.badSender;
    if (!path.parameters) return answers.badParameters;
    if (this.#transaction) return answers.nestedMail;
    const options = readMailOptions(path.parameters, this.#logins !== null);
    if (options.kind === "refused") return stepOf(options.reply);
    const { address: sender } = path;
    const { size, smtpUtf8 } = options;
    const { remoteAddress } = this.#deps;
    const handlers = begin({ size, isNullSender: sender === "", sender, remoteAddress });
    const transaction: OpenTransaction = {
      ...{ handlers, sender, smtpUtf8, size },
      ...{ recipients: 0, content: null, isContentRefused: false },
    };
    if (handlers.onSender) return this.#checkSender(handlers.onSender(), transaction);
    this.#transaction = transaction;
    return answers.senderAccepted;
  }

  #checkSender(check: Promise<SmtpReply | null>, transaction: OpenTransaction): Promise<Step> {
    return check.then(
      (refusal) => {
        if (refusal) return stepOf(refusal);
        this.#transaction = transaction;
        return answers.senderAccepted;
      },
      (error: unknown) => this.#failed(error),
    );
  }

  #rcpt({ argument }: Command): Step | Promise<Step> {
    if (this.#helo === false) return answers.needHello;
    const path = parsePath("TO", argument);
    if (!path || !isRecipient(path.address)) return answers.badRecipient;
    if (!path.parameters) return answers.badParameters;
    const transaction = this.#transaction;
    if (!transaction) return answers.needMail;
    if (transaction.content) return answers.contentBegun;
    const refusal = recipientRefusal(path.parameters);
    if (refusal) return stepOf(refusal);
    if (transaction.recipients >= maxRecipientsPerMail) return answers.tooManyRecipients;
    const answer = transaction.handlers.onRecipient(path.address);
    return answer instanceof Promise
      ? answer.then(
          (reply) => this.#recipientStep(transaction, reply),
          (error: unknown) => this.#failed(error),
        )
      : this.#recipientStep(transaction, answer);
  }

  #recipientStep(transaction: OpenTransaction, refusal: SmtpReply | null): Step {
    if (refusal) {
      if (refusal.code >= 500 && !refusal.isGuess) this.#deps.onRecipientRefused();
      return this.#refused(refusal);
    }
    transaction.recipients += 1;
    return answers.recipientAccepted;
  }

  #refused(refusal: SmtpReply): Step {
    if (refusal.code === 421) return lastStepOf(refusal);
    if (!refusal.isGuess) return stepOf(refusal);
    this.#deps.onRecipientRefused();
    this.#guesses += 1;
    const doublings = this.#guesses - freeGuesses - 1;
    if (doublings < 0) return stepOf(refusal);
    return { ...stepOf(refusal), delayMs: Math.min(firstGuessDelayMs * 2 ** doublings, longestGuessDelayMs) };
  }

  #data({ argument }: Command): Step {
    if (argument !== "") return answers.noArgument;
    if (this.#helo === false) return answers.needHello;
    if (!this.#transaction?.recipients) return answers.needRecipient;
    return this.#transaction.content ? answers.contentBegun : answers.sendContent;
  }

  #bdat({ argument }: Command): Step {
    const [, digits = "", last] = /^(\d+)(?: +(LAST))?$/i.exec(argument) ?? [];
    if (digits === "" || digits.length > maxChunkDigits) return lastStepOf(answers.badChunk);
    if (!this.#transaction?.recipients) this.reset();
    return silentStep({ kind: "chunk", size: Number(digits), isLast: last !== undefined });
  }

  #rset({ argument }: Command): Step {
    if (argument !== "") return answers.noArgument;
    this.reset();
    return answers.ok;
  }

  #startTls({ argument }: Command): Step {
    if (argument !== "") return answers.noArgument;
    if (!this.#offersTls) return this.#isSecure ? answers.alreadySecure : answers.notImplemented;
    return answers.startTls;
  }
}
