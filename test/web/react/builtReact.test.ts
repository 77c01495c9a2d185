import { join } from "node:path";
import { expect } from "chai";
import { build, type Plugin } from "esbuild";
import { useDom } from "../../support/jsdom.ts";

const plugin = join(import.meta.dirname, "../../../scripts/build/react.mjs");
const { slimReact } = (await import(plugin)) as { readonly slimReact: Plugin };

/** Bundles a script that uses React with what the build leaves of it. */
const bundled = async (contents: string): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents, loader: "tsx", resolveDir: import.meta.dirname },
    absWorkingDir: join(import.meta.dirname, "../../.."),
    bundle: true,
    write: false,
    format: "esm",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "silent",
    plugins: [slimReact],
  });
  return new TextDecoder().decode(outputFiles[0]?.contents);
};

interface Screen {
  readonly show: (page: HTMLElement) => void;
  readonly act: (run: () => void) => void;
  readonly said: readonly string[];
}

const screen = `
import { Component, createContext, memo, useContext, useEffect, useId, useImperativeHandle, useInsertionEffect, useLayoutEffect, useReducer,
  useRef, useState, useSyncExternalStore } from "react";
import { createPortal, flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
export const said = [];
export const act = flushSync;
class Boundary extends Component {
  state = { isFailed: false };
  static getDerivedStateFromError() { return { isFailed: true }; }
  componentDidCatch(error) { said.push("caught " + error.message); }
  render() { return this.state.isFailed ? <p id="failed">failed</p> : this.props.children; }
}
const Failing = ({ fails }) => { if (fails) throw new Error("broken"); return <p>whole</p>; };
const Language = createContext("none");
const Greeting = memo(() => <em>{useContext(Language)}</em>);
const listeners = new Set();
let stored = 1;
const store = { subscribe: (one) => (listeners.add(one), () => listeners.delete(one)), read: () => stored };
export const write = (value) => { stored = value; for (const one of listeners) one(); };
const Row = ({ name }) => { useEffect(() => { said.push("in " + name); return () => said.push("out " + name); }, []); return <li>{name}</li>; };
const Field = ({ ref }) => {
  const input = useRef(null);
  useImperativeHandle(ref, () => ({ focus: () => input.current.focus() }));
  const [text, setText] = useState("");
  return <><input id="text" ref={input} value={text} onChange={(event) => setText(event.target.value.toUpperCase())} /><b id="typed">{text}</b></>;
};
const Page = () => {
  const [names, turn] = useReducer((before) => [...before.slice(1).reverse(), "new"], ["a", "b", "c"]);
  const [fails, setFails] = useState(false);
  const field = useRef(null);
  const id = useId();
  const value = useSyncExternalStore(store.subscribe, store.read);
  useInsertionEffect(() => { said.push("inserted"); }, []);
  useLayoutEffect(() => { field.current.focus(); }, []);
  return (
    <Language value="en">
      <ul>{names.map((name) => <Row key={name} name={name} />)}</ul>
      <button id="turn" aria-describedby={id} onClick={() => turn()}>turn</button>
      <button id="fail" onClick={() => setFails(true)} style={{ color: fails ? "red" : "blue" }}>fail</button>
      <Boundary><Failing fails={fails} /></Boundary>
      <Greeting />
      <Field ref={field} />
      <select id="choice" defaultValue="2"><option value="1">one</option><option value="2">two</option></select>
      <textarea id="long" defaultValue="line" />
      <input id="check" type="checkbox" defaultChecked />
      <svg viewBox="0 0 1 1"><title>Picture</title><path d="M0 0" /></svg>
      {createPortal(<i id="over">{value}</i>, document.body)}
    </Language>
  );
};
export const show = (page) => flushSync(() => createRoot(page, { onCaughtError: () => undefined }).render(<Page />));
`;

describe("React as it is built into the page", () => {
  useDom();

  it("renders, updates, follows events and survives failures without what the page does not use", async () => {
    const url = `data:text/javascript;base64,${Buffer.from(await bundled(screen)).toString("base64")}`;
    const { show, act, said, write } = (await import(url)) as Screen & {
      readonly write: (value: number) => void;
    };
    const page = document.body.appendChild(document.createElement("div"));
    const find = <E extends HTMLElement>(id: string): E => document.getElementById(id) as E;
    const rows = (): readonly (string | null)[] =>
      [...page.querySelectorAll("li")].map((row) => row.textContent);
    const press = (id: string): void => act(() => find(id).click());
    show(page);

    expect(rows()).to.deep.equal(["a", "b", "c"]);
    expect(page.querySelector("em")?.textContent).to.equal("en");
    expect(page.querySelector("svg title")?.textContent).to.equal("Picture");
    expect(document.activeElement?.id).to.equal("text");
    expect(find<HTMLSelectElement>("choice").value).to.equal("2");
    expect(find<HTMLTextAreaElement>("long").value).to.equal("line");
    expect(find<HTMLInputElement>("check").checked).to.equal(true);
    expect(find("turn").getAttribute("aria-describedby")).to.not.equal("");
    press("turn");
    expect(rows()).to.deep.equal(["c", "b", "new"]);
    act(() => write(7));
    expect(find("over").textContent).to.equal("7");
    const input = find<HTMLInputElement>("text");
    act(() => {
      Object.getOwnPropertyDescriptor(window.HTMLInputElement.prototype, "value")?.set?.call(input, "abc");
      input.dispatchEvent(new window.Event("input", { bubbles: true }));
    });
    expect(input.value).to.equal("ABC");
    expect(find("typed").textContent).to.equal("ABC");
    press("fail");
    expect(find("failed").textContent).to.equal("failed");
    expect(find("fail").style.color).to.equal("red");
    expect(said).to.include.members(["inserted", "in a", "in new", "out a", "caught broken"]);
  });

  for (const [what, from] of [
    ["useOptimistic", "react"],
    ["Suspense", "react"],
    ["preload", "react-dom"],
    ["hydrateRoot", "react-dom/client"],
  ] as const)
    it(`refuses the import of ${what}, which it has no code for`, async () => {
      const failure: unknown = await bundled(
        `import { ${what} } from "${from}"; console.log(${what});`,
      ).catch((error: unknown) => error);
      expect(String(failure)).to.include(`No matching export in "node_modules/`).and.to.include(what);
    });
});
