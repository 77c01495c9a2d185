import { useRef, useState } from "react";
import type { App } from "../../core/app.ts";
import { mostCharacters } from "../../core/imports/readImport.ts";
import { useTask } from "../binding/useAction.ts";
import type { PartOf } from "../binding/useLatePart.ts";
import { useObservable } from "../binding/useObservable.ts";
import { Banner } from "../ui/Banner.tsx";
import { FileButton } from "../ui/FileButton.tsx";
import { useFile } from "../ui/useFile.ts";
import { ImportList } from "./ImportList.tsx";
import styles from "./ImportPanel.module.css";

type Imports = PartOf<App["imports"]>;

/** So much of a file is looked at: more than the most characters, however many bytes each takes. */
const mostBytes = 4 * mostCharacters + 4;

/** Choosing a file, what would be made of it, and what was. */
export const ImportPanel = ({ imports }: { readonly imports: Imports }) => {
  const state = useObservable(imports.state$);
  const run = useTask(imports.run);
  const button = useRef<HTMLButtonElement>(null);
  const [fileName, setFileName] = useState("");

  const file = useFile(
    (chosen) => chosen.slice(0, mostBytes).text(),
    (content, { name }) => {
      setFileName(name);
      imports.read(content);
    },
  );
  const again = (): void => {
    imports.close();
    button.current?.focus();
  };

  return (
    <div className={styles.panel}>
      <FileButton
        ref={button}
        label={state.kind === "none" ? "Choose a file with masks" : "Choose another file"}
        accept=".csv,.json,text/csv,application/json"
        onFile={file.take}
        error={file.error}
        isDisabled={state.kind === "running"}
      />
      {state.kind === "unreadable" && <Banner kind="error">{state.sentence}</Banner>}
      {"rows" in state && (
        <ImportList state={state} fileName={fileName} onRun={run.run} onStop={imports.stop} onClose={again} />
      )}
      {state.kind === "none" && (
        <p className={styles.hint}>Nothing is made before you have seen what would be.</p>
      )}
    </div>
  );
};
