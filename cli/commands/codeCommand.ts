import { setTimeout as wait } from "node:timers/promises";
import type { Command } from "commander";
import * as E from "fp-ts/lib/Either.js";
import { createProgramCodes, type ProgramCodes } from "../../core/codes/programCodes.ts";
import { minuteMs } from "../../core/kernel/durations.ts";
import type { MailCode } from "../../core/mail/mailCode.ts";
import { hostNameIn, listMadeFor } from "../../core/masks/madeFor.ts";
import type { Mask } from "../../core/masks/mask.ts";
import { declare } from "../command.ts";
import { exits, Stop, usageError } from "../exits.ts";
import { findMask, loadMasks, run } from "../masks.ts";
import { plain } from "../output/text.ts";
import { type Session, withApp } from "./withApp.ts";

interface CodeOptions {
  readonly wait?: boolean;
  readonly site?: string;
  readonly mask?: string;
}

/** The interval at which the server is asked for a code that has not come yet. */
const askEachMs = 2_000;
/** A code that came so long before the command is the one that is waited for. */
const recentMs = minuteMs;

/** Returns the masks whose codes are wanted. */
const wantedMasks = (masks: readonly Mask[], { site, mask }: CodeOptions): readonly Mask[] => {
  if (mask !== undefined) return [findMask(masks, mask)];
  if (site === undefined) return masks;
  const host = hostNameIn(site);
  if (host === null) throw usageError(`"${site}" is not a site. An example is shop.example.`);
  const made = listMadeFor(masks, host);
  if (made.length === 0) throw new Stop(exits.notFound, `No mask was made for ${host}.`);
  return made;
};

const waitForCode = async (
  codes: ProgramCodes,
  isWanted: (code: MailCode) => boolean,
  isWaiting: boolean,
): Promise<MailCode> => {
  for (;;) {
    const code = (await run(codes.list())).find(isWanted);
    if (code) return code;
    if (!isWaiting) throw new Stop(exits.notFound, "No code has arrived.");
    await wait(askEachMs);
  }
};

const printCode = async (
  { signedIn, output }: Session,
  code: MailCode,
  masks: readonly Mask[],
): Promise<void> => {
  if (code.sealed !== undefined)
    throw new Stop(
      exits.failed,
      "A code has arrived, encrypted to your key, which this program does not have. The app shows it.",
    );
  const text = code.code ?? code.link ?? "";
  const sender = code.sender ?? "";
  const mask = masks.find(({ id }) => id === code.maskId)?.maskEmail ?? code.maskId;
  output.print({
    value: { code: code.code ?? null, link: code.link ?? null, mask, sender },
    quiet: [text],
    lines: () => [plain(text)],
  });
  if (sender === "") output.note("The sender is not proven: anybody could have sent this.");
  const used = await signedIn.feature(createProgramCodes).use(code)();
  if (E.isLeft(used)) output.note("The server keeps the code until it expires.");
};

export const codeCommand: Command = declare(
  "code",
  "Print the newest code that has arrived in mail, and have the server forget it",
  { call: "bauta-cli code --wait --site shop.example", does: "waits for the code that a shop sends" },
)
  .option("--wait", "wait until a code arrives")
  .option("--site <site>", "codes of masks that were made for a site")
  .option("--mask <mask>", "codes of one mask")
  .action(
    withApp(async (session, options: CodeOptions) => {
      const { signedIn, output } = session;
      const isWaiting = options.wait === true;
      const masks = await loadMasks(session, output);
      const ids = new Set(wantedMasks(masks, options).map(({ id }) => id));
      const since = isWaiting ? Date.now() - recentMs : 0;
      if (isWaiting) output.note("Waiting for a code. Ctrl+C ends it.");
      const code = await waitForCode(
        signedIn.feature(createProgramCodes),
        ({ maskId, receivedAt }) => ids.has(maskId) && Date.parse(receivedAt) >= since,
        isWaiting,
      );
      await printCode(session, code, masks);
    }),
  );
