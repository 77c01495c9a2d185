import { type Command, InvalidArgumentError, Option } from "commander";
import * as E from "fp-ts/lib/Either.js";
import { explainDetail } from "../../core/mailLog/explainEntry.ts";
import { type LogEntry, LogResult, resultLabels } from "../../core/mailLog/logEntry.ts";
import { createMailLogPages } from "../../core/mailLog/mailLog.ts";
import { declare } from "../command.ts";
import { findMask, loadMasks, run } from "../masks.ts";
import { layOut } from "../output/table.ts";
import { withApp } from "./withApp.ts";

interface LogOptions {
  readonly mask?: string;
  readonly result?: LogResult;
  readonly limit: number;
}

const maxEntriesShown = 10_000;

const count = (text: string): number => {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > maxEntriesShown)
    throw new InvalidArgumentError(`It is a number from 1 to ${maxEntriesShown}.`);
  return number;
};

const columns = [
  { title: "TIME" },
  { title: "RESULT" },
  { title: "MASK", least: 16 },
  { title: "FROM", least: 12 },
  { title: "WHY", least: 12 },
];

const timeOf = ({ at }: LogEntry): string => at.slice(0, 16).replace("T", " ");

const otherOf = ({ detail, direction }: LogEntry): string =>
  direction === "sent" ? `to ${detail?.to?.join(", ") ?? ""}` : (detail?.from ?? "");

export const logCommand: Command = declare(
  "log [search]",
  "List what came to the masks and what became of it, newest first (times in UTC)",
  { call: "bauta-cli log --mask k7wq2 --result blocked", does: "lists what was blocked at a mask" },
)
  .option("--mask <mask>", "mail of one mask")
  .addOption(new Option("--result <result>", "mail with one result").choices(Object.keys(LogResult.keys)))
  .option("--limit <number>", "how many entries at most", count, 50)
  .action(
    withApp(async (session, search: string | undefined, options: LogOptions) => {
      const { output } = session;
      const loaded = await session.signedIn.masks.refresh()();
      const masks = E.isRight(loaded) ? session.signedIn.masks.view$.value.all : [];
      const mask = options.mask ? findMask(await loadMasks(session, output), options.mask) : null;
      const log = session.signedIn.feature(createMailLogPages);
      const filter = { direction: null, result: options.result ?? null, text: search ?? "" };
      log.open({ ...filter, maskId: mask?.id ?? null });
      await run(log.refresh());
      const isEnough = (): boolean => (log.view$.value.entries?.length ?? 0) >= options.limit;
      while (log.view$.value.more && !isEnough()) {
        output.progress(`${log.view$.value.loaded} entries read …`);
        await run(log.showOlder());
      }
      const { entries, unread, settings } = log.view$.value;
      const shown = (entries ?? []).slice(0, options.limit);
      const addressOf = (id: string): string => masks.find((one) => one.id === id)?.maskEmail ?? id;
      if (settings?.keep === "off") output.note("The log is off. Turn it on in the app.");
      if (unread > 0)
        output.note(`${unread} entries are encrypted; the app reads them on a device with your key.`);
      output.print({
        value: shown.map(({ sealed: _, steps, maskId, ...entry }) => ({
          ...entry,
          mask: addressOf(maskId),
          steps: steps.map(({ sealed: _step, ...step }) => step),
        })),
        quiet: shown.map((entry) => `${entry.at} ${entry.result} ${addressOf(entry.maskId)}`),
        lines: () =>
          layOut(
            columns,
            shown.map((entry) => [
              timeOf(entry),
              resultLabels[entry.result],
              addressOf(entry.maskId),
              otherOf(entry),
              entry.detail ? (explainDetail(entry.detail)[0] ?? "") : "",
            ]),
            output.width,
            (text, row) => (row === -1 ? output.paint("dim", text) : text),
          ),
      });
    }),
  );
