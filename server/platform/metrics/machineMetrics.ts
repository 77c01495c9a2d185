import { Gauge, type Registry } from "@prometheus-io/client";

export interface MachineFigures {
  /** Returns the end of the certificate that the server shows, in milliseconds since 1970; null without one. */
  readonly certificateEnd: () => number | null;
  /** Returns the time at which the newest backup was written, in milliseconds since 1970; null without one. */
  readonly newestBackup: () => Promise<number | null>;
}

const secondMs = 1_000;

/** Measures what lies around the process. A metric without a value is left out. */
export const measureMachine = (
  registry: Registry,
  { certificateEnd, newestBackup }: MachineFigures,
): void => {
  new Gauge({
    name: "bauta_certificate_end_timestamp_seconds",
    help: "When the server's certificate ends, in seconds since 1970; absent without one.",
    labelNames: ["of"],
    registers: [registry],
    collect() {
      this.reset();
      const end = certificateEnd();
      if (end !== null) this.set({ of: "server" }, end / secondMs);
    },
  });
  new Gauge({
    name: "bauta_last_backup_timestamp_seconds",
    help: "When the newest backup in DATA_DIR/backups was written, in seconds since 1970; absent without one.",
    labelNames: ["in"],
    registers: [registry],
    async collect() {
      const written = await newestBackup();
      this.reset();
      if (written !== null) this.set({ in: "data_dir" }, Math.floor(written / secondMs));
    },
  });
};
