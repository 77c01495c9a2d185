import { tmpdir } from "node:os";
import { startSink } from "../../test/server/support/sink.ts";
import { findPrograms } from "./programs.ts";
import { startCluster } from "./startCluster.ts";

/**
 * `npm run cluster`: starts a whole cluster on this machine for a trial, until Ctrl-C; its data is deleted then. Mail goes to
 * NEXT_HOP, or to a next hop that prints it.
 */
const run = async (): Promise<void> => {
  const programs = findPrograms();
  if ("missing" in programs) {
    console.error(`The trial needs ${programs.missing.join(", ")}, as Debian has them:`);
    console.error(`    RUNLEVEL=1 apt-get install --no-install-recommends ${programs.missing.join(" ")}`);
    process.exitCode = 1;
    return;
  }
  const sink = process.env["NEXT_HOP"] ? null : await startSink();
  const cluster = await startCluster({
    programs,
    place: tmpdir(),
    settings: sink ? { NEXT_HOP: `smtp://127.0.0.1:${sink.port}` } : {},
    onStep: (step) => console.log(`Starting ${step} …`),
  });
  console.log(`\nThe app:   ${cluster.url}`);
  console.log(`Mail:      127.0.0.1:${cluster.smtpPort}`);
  console.log(`Its data:  ${cluster.folder} (with the logs; deleted at the end)`);
  console.log("Stop it with Ctrl-C.\n");

  let shown = 0;
  const printing = setInterval(() => {
    for (const mail of sink?.mails.slice(shown) ?? [])
      console.log(`To ${mail.to}\n${mail.content.toString()}\n`);
    shown = sink?.mails.length ?? 0;
  }, 500);
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  clearInterval(printing);
  await cluster.stop();
  await sink?.close();
};

await run();
