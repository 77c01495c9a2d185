import type { Command } from "commander";
import { createAccountData } from "../../core/account/accountData.ts";
import { createImports } from "../../core/account/imports.ts";
import { masksCsv } from "../../core/account/masksCsv.ts";
import { createDestinations } from "../../core/destinations/destinations.ts";
import { createMaskLabels } from "../../core/labels/labels.ts";
import { declare } from "../command.ts";
import { exits, Stop, usageError } from "../exits.ts";
import { readInput, writeNewFile } from "../files.ts";
import { countMasks, loadMasks, run } from "../masks.ts";
import { plain } from "../output/text.ts";
import { withApp } from "./withApp.ts";

const exporting = declare(
  "export [file]",
  "Write the masks as CSV, as the app exports them",
  { call: "bauta-cli export masks.csv", does: "writes a new file" },
  { call: "bauta-cli export > masks.csv", does: "writes to the output" },
)
  .option("--everything", "write all data of the account as JSON; needs a session")
  .action(
    withApp(
      async (
        session,
        path: string | undefined,
        { everything = false }: { readonly everything?: boolean },
      ) => {
        const { signedIn, output } = session;
        const masks = await loadMasks(session, output);
        const labels = signedIn.feature(createMaskLabels);
        const destinations = signedIn.feature(createDestinations);
        await Promise.all([labels.refresh()(), destinations.refresh()()]);
        const text = everything
          ? (await run(signedIn.feature(createAccountData).exportAll())).content
          : masksCsv(masks, {
              labels: labels.list$.value ?? [],
              destinations: destinations.list$.value ?? [],
            });
        if (path === undefined) {
          const lines = text.trimEnd().split(/\r?\n/);
          output.print({ value: { content: text }, quiet: lines, lines: () => lines.map(plain) });
          return;
        }
        writeNewFile(path, text);
        output.print({
          value: { file: path, masks: masks.length },
          lines: () => [`Wrote ${countMasks(masks.length)} to ${path}.`],
        });
      },
    ),
  );

const importing = declare(
  "import <file>",
  'Create masks from an export of Bauta, SimpleLogin, addy.io or Firefox Relay (CSV or JSON); "-" is the input',
  { call: "bauta-cli import masks.csv --dry-run", does: "says what would be created" },
)
  .option("--dry-run", "make nothing")
  .action(
    withApp(async (session, path: string, { dryRun = false }: { readonly dryRun?: boolean }) => {
      const { signedIn, output } = session;
      const text = (await readInput(path)).toString("utf8");
      await loadMasks(session, output);
      await signedIn.account.refresh()();
      const imports = signedIn.feature(createImports);
      await imports.read(text)();
      const read = imports.state$.value;
      if (read.kind === "unreadable") throw usageError(read.message);
      const following = imports.state$.subscribe((state) => {
        if (!("rows" in state) || state.kind !== "running") return;
        const done = state.rows.filter((row) => row.state.kind !== "waiting").length;
        const pause = state.isWaiting === true ? ", waiting for the server" : "";
        output.progress(`${done} of ${state.rows.length}${pause} …`);
      });
      if (!dryRun) await imports.run()();
      following.unsubscribe();
      const state = imports.state$.value;
      const rows = "rows" in state ? state.rows : [];
      const reasonOf = (row: (typeof rows)[number]): string =>
        row.state.kind === "skipped" || row.state.kind === "failed" ? row.state.reason : "";
      const made = rows.flatMap((row) => (row.state.kind === "made" ? [row.state.maskEmail] : []));
      const toMake = rows.filter((row) => row.state.kind === "waiting");
      const waiting = toMake.length;
      const keeping = toMake.filter(({ kept }) => kept !== undefined).length;
      const notMade = rows.filter((row) => reasonOf(row) !== "");
      output.print({
        value: {
          made,
          waiting,
          keeping,
          notMade: notMade.map((row) => ({ at: row.at, address: row.address, reason: reasonOf(row) })),
        },
        quiet: made,
        lines: () => [
          ...made.map(plain),
          ...notMade.map((row) => plain(`${row.at} ${row.address}: ${reasonOf(row)}`)),
          dryRun
            ? `${waiting} would be created, ${keeping} of them with the address that they have.`
            : `${countMasks(made.length)} created, ${notMade.length} left out.`,
        ],
      });
      if ("reason" in state && state.reason !== undefined) throw new Stop(exits.noNetwork, state.reason);
      if (rows.some((row) => row.state.kind === "failed"))
        throw new Stop(exits.failed, "Not all masks were created.");
    }),
  );

export const exchangeCommands: readonly Command[] = [exporting, importing];
