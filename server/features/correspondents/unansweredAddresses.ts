import { hourMs } from "../../../core/kernel/durations.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Engine } from "../../platform/store/engine.ts";

/**
 * Reverse addresses of one mask that were never answered: of each kind, links and others, as many as this. Beyond, mail
 * makes them only for those who get a simple answer, so that a stranger's lists of recipients cannot fill the store.
 */
export const maxUnansweredOfMask = 2_000;
const maxCounted = 10_000;
const maxCountedMasks = 10_000;
const recountAfterMs = hourMs;

/** The number of a mask's addresses that were never answered. */
interface Unanswered {
  links: number;
  others: number;
  readonly countedAt: number;
}

/** Counts the reverse addresses of masks that were never answered. */
export class UnansweredAddresses {
  readonly #engine: Pick<Engine, "read">;
  readonly #clock: Pick<Clock, "now">;
  readonly #counts = new Map<string, Unanswered>();

  constructor(engine: Pick<Engine, "read">, clock: Pick<Clock, "now">) {
    this.#engine = engine;
    this.#clock = clock;
  }

  /** Returns whether a mask may have another address of a kind, which is then counted. */
  async takeRoom(maskId: string, kind: "links" | "others"): Promise<boolean> {
    const counts = await this.#countsOf(maskId);
    if (counts[kind] >= maxUnansweredOfMask) return false;
    counts[kind] += 1;
    return true;
  }

  async #countsOf(maskId: string): Promise<Unanswered> {
    const now = this.#clock.now();
    const before = this.#counts.get(maskId);
    if (before && now - before.countedAt < recountAfterMs) return before;
    const rows = await this.#engine.read<{ is_link: number; count: number }>(
      `select is_link, count(*) as count from
         (select is_link from reverse_addresses where mask_id = $1 and last_out_at is null limit ${maxCounted}) as rows
       group by is_link`,
      [maskId],
    );
    const countOf = (link: number): number =>
      Number(rows.find(({ is_link }) => is_link === link)?.count ?? 0);
    const counted = { links: countOf(1), others: countOf(0), countedAt: now };
    if (this.#counts.size >= maxCountedMasks) this.#counts.clear();
    this.#counts.set(maskId, counted);
    return counted;
  }
}
