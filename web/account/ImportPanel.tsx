import { useRef, useState } from "react";
import type { App } from "../../core/app.ts";
import { mostCharacters } from "../../core/imports/readImport.ts";
import { useTask } from "../binding/useAction.ts";
import type { PartOf } from "../binding/useLatePart.ts";
import { useObservable } from "../binding/useObservable.ts";
import { Banner } from "../ui/Banner.tsx";
import { Button } from "../ui/Button.tsx";
import { ImportList } from "./ImportList.tsx";
import styles from "./ImportPanel.module.css";

type Imports = PartOf<App["imports"]>;

/** So much of a file is looked at: more than the most characters, however many bytes each takes. */
const mostBytes = 4 * mostCharacters + 4;

/** Choosing a file, what would be made of it, and what was. */
export const ImportPanel = ({ imports }: { readonly imports: Imports }) => {
  const state = useObservable(imports.state$);
  const run = useTask(imports.run);
  const box = useRef<HTMLInputElement>(null);
  const [fileName, setFileName] = useState("");
  const [isUnread, setUnread] = useState(false);

  const read = (file: File | undefined): void => {
    if (file === undefined) return;
    setFileName(file.name);
    setUnread(false);
    file
      .slice(0, mostBytes)
      .text()
      .then(imports.read, () => setUnread(true));
  };
  const again = (): void => {
    imports.close();
    box.current?.focus();
  };
  const isRunning = state.kind === "running";

  return (
    <div className={styles.panel}>
      <label className={styles.file}>
        <span className={styles.label}>File with masks</span>
        <input
          ref={box}
          type="file"
          accept=".csv,.json,text/csv,application/json"
          disabled={isRunning}
          onChange={(event) => {
            read(event.currentTarget.files?.[0]);
            event.currentTarget.value = "";
          }}
        />
      </label>
      {isUnread && <Banner kind="error">{fileName} could not be read. Please choose it again.</Banner>}
      {state.kind === "unreadable" && <Banner kind="error">{state.sentence}</Banner>}
      {"rows" in state && (
        <ImportList state={state} fileName={fileName} onRun={run.run} onStop={imports.stop} onClose={again} />
      )}
      {state.kind === "none" && (
        <p className={styles.hint}>Nothing is made before you have seen what would be.</p>
      )}
      {state.kind === "unreadable" && (
        <div>
          <Button onPress={again}>Choose another file</Button>
        </div>
      )}
    </div>
  );
};
