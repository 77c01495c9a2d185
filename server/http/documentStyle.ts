/** The look of the pages the server writes itself: the product's colours and type, without its stylesheet. */
export const documentStyle = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f6f5f2, #0e0f12); --surface: light-dark(#ffffff, #16171b);
  --sunken: light-dark(#f2f1ed, #111215); --line: light-dark(#e6e4de, #26282e);
  --text: light-dark(#1a1a1e, #edece8); --muted: light-dark(#56555b, #aeadb3);
  --ink: light-dark(#1a1a1e, #edece8); --on-ink: light-dark(#ffffff, #16171b);
  --accent: light-dark(#0b6074, #74c9dc); --focus: light-dark(#0b7a93, #74c9dc);
  --cloak: light-dark(#1a1a1e, #2c2e35); --shade: light-dark(#d8d4ca, #cfcbc1);
}
* { box-sizing: border-box; margin: 0; }
body { min-width: 20rem; font-variant-ligatures: no-contextual; background: var(--ground); color: var(--text); overflow-wrap: anywhere;
  font: 0.9375rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
header, main { max-width: 60rem; margin-inline: auto; padding: 1rem; }
header { display: flex; align-items: center; gap: 0.5rem; font-weight: 600; font-size: 1.0625rem; }
header a { display: inline-flex; align-items: center; gap: 0.5rem; color: inherit; text-decoration: none; }
h1 { font-size: 1.3125rem; line-height: 1.25; letter-spacing: -0.012em; text-wrap: balance; }
h2 { font-size: 1.0625rem; line-height: 1.25; margin-block: 1.5rem 0.5rem; }
a { color: var(--accent); text-underline-offset: 0.2em; }
p { text-wrap: pretty; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 0.25rem; }
.stack > * + * { margin-top: 1rem; }
.muted { color: var(--muted); }
.card { padding: 1.25rem; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--surface); }
.narrow { max-width: 30rem; margin: 3rem auto 0; }
.mono { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 0.9375em; }
ul.mails { padding: 0; list-style: none; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--surface); overflow: clip; }
ul.mails li + li { border-top: 1px solid var(--line); }
ul.mails a { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding: 0.75rem 1.25rem; color: inherit; text-decoration: none; }
ul.mails a:hover { background: var(--sunken); }
ul.mails a:focus-visible { outline-offset: -2px; }
ul.mails .subject { font-weight: 600; }
ul.mails .way { flex-basis: 100%; font-size: 0.8125rem; }
time { color: var(--muted); font-variant-numeric: tabular-nums; white-space: nowrap; font-size: 0.8125rem; }
dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.25rem 1rem; }
dt { color: var(--muted); }
dd { margin: 0; }
pre { white-space: pre-wrap; padding: 1rem; border-radius: 0.5rem; background: var(--sunken); font-size: 0.875rem;
  font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
iframe { display: block; width: 100%; height: 32rem; border: 1px solid var(--line); border-radius: 0.5rem; }
button { min-height: 2.75rem; padding: 0 1.25rem; border: 0; border-radius: 0.5rem; background: var(--ink); color: var(--on-ink); font: inherit; font-weight: 600; cursor: pointer; }
nav { display: flex; flex-wrap: wrap; gap: 0.5rem 1.25rem; }
`;
