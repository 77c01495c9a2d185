/** The browser's knowledge of the line (Network Information); Firefox and Safari tell nothing. */
interface Line {
  readonly saveData?: boolean;
  readonly type?: string;
  /** "4g" for a fast line of any kind, such as Wi-Fi. */
  readonly effectiveType?: string;
  readonly addEventListener: (event: "change", listener: () => void) => void;
  readonly removeEventListener: (event: "change", listener: () => void) => void;
}

/** The browser, as far as it tells about the line. */
export interface LineSource {
  readonly connection?: Line;
}

/** True if downloading ahead would cost the user money or time: the user saves data, or the line is metered or slow. */
export const isLineCostly = ({ connection }: LineSource): boolean =>
  connection !== undefined &&
  (connection.saveData === true ||
    connection.type === "cellular" ||
    (connection.effectiveType !== undefined && connection.effectiveType !== "4g"));

/** Calls `run` once, as soon as the line is not costly. */
export const whenLineIsCheap = (source: LineSource, run: () => void): void => {
  const { connection } = source;
  const check = (): void => {
    if (isLineCostly(source)) return;
    connection?.removeEventListener("change", check);
    run();
  };
  connection?.addEventListener("change", check);
  check();
};
