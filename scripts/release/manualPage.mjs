// The manual page of a command: what it says with --help, and each of its commands too.
import { run } from "./build.mjs";

const helpOf = (program, words) =>
  run(process.execPath, [program, ...words, "--help"], { env: { ...process.env, NO_COLOR: "1" } })
    .toString()
    .trimEnd();

/** The commands that a help lists: the words in front of their arguments and of what they do. */
const listedIn = (help) =>
  [...help.matchAll(/^ {2}([a-z][a-z-]*(?: [a-z-]+)*)(?: [[<]\S+)* {2,}\S/gm)].map(([, words]) =>
    words.split(" "),
  );

/** Returns each help below a command, with its words. */
const helpsBelow = (program, words, help) =>
  listedIn(help).flatMap((more) => {
    const all = [...words, ...more];
    const own = helpOf(program, all);
    return own === help ? [] : [{ words: all, help: own }, ...helpsBelow(program, all, own)];
  });

const escaped = (text) =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^(?=[.'])/gm, "\\&");

const asIs = (text) => `.nf\n${escaped(text)}\n.fi\n`;

/** Returns the page of a program in roff; `seconds` is the time of its source. */
export const manualPage = (name, program, { version, seconds }) => {
  const help = helpOf(program, []);
  const sentence = help.split("\n").find((line) => line !== "" && !line.startsWith("Usage:"));
  const does = sentence.replace(`${name} `, "").replace(/\.$/, "");
  const day = new Date(seconds * 1_000).toISOString().slice(0, 10);
  return [
    `.TH ${escaped(name.toUpperCase())} 1 ${day} "Bauta ${version}"\n`,
    `.SH NAME\n${escaped(name)} \\- ${escaped(does)}\n`,
    `.SH DESCRIPTION\n${asIs(help)}`,
    ".SH COMMANDS\n",
    ...helpsBelow(program, [], help).map((one) => `.SS ${escaped(one.words.join(" "))}\n${asIs(one.help)}`),
  ].join("");
};
