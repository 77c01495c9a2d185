import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import type { Command } from "commander";
import { changeLabels } from "../../core/labels/label.ts";
import { hostNameIn } from "../../core/masks/madeFor.ts";
import { isActive, type Mask, maxDescriptionLength, type NewMask } from "../../core/masks/mask.ts";
import { searchMasks } from "../../core/masks/maskSearch.ts";
import { createProgramMasks } from "../../core/masks/programMasks.ts";
import { createTrash } from "../../core/trash/trash.ts";
import { trashDays } from "../../core/trash/trashEndpoints.ts";
import { collect, declare } from "../command.ts";
import { usageError } from "../exits.ts";
import { countMasks, findMask, loadMasks, maskJson, run } from "../masks.ts";
import { layOut, layOutFacts } from "../output/table.ts";
import { plain } from "../output/text.ts";
import { confirm } from "../prompt.ts";
import { type Session, withApp } from "./withApp.ts";

const programs: readonly (readonly [string, ...string[]])[] = [
  ["pbcopy"],
  ["wl-copy"],
  ["xclip", "-selection", "clipboard"],
  ["xsel", "--clipboard", "--input"],
  ["clip.exe"],
];

const waitAtMostMs = 5_000;

/** Asks the terminal to copy (OSC 52), which also works over SSH; many terminals do so, and none says so. */
const copyByTerminal = (text: string): boolean => {
  try {
    writeFileSync("/dev/tty", `\u001b]52;c;${Buffer.from(text).toString("base64")}\u0007`);
    return true;
  } catch {
    return false;
  }
};

/** Copies text to the clipboard; false where nothing does so. */
const copyText = (text: string): boolean =>
  programs.some(
    ([program, ...words]) =>
      spawnSync(program, words, { input: text, timeout: waitAtMostMs, stdio: ["pipe", "ignore", "ignore"] })
        .status === 0,
  ) || copyByTerminal(text);

interface NewOptions {
  readonly for?: string;
  readonly label?: readonly string[];
  readonly destination?: readonly string[];
  readonly note?: string;
  readonly copy?: boolean;
}

/** The host name of what was typed as a site. */
const siteOf = (typed: string): string => {
  const site = /\s/.test(typed.trim()) ? null : hostNameIn(typed);
  if (site === null || !site.includes("."))
    throw usageError(
      `"${typed}" is not a site. Write it as in --for shop.example, and other words as the description.`,
    );
  return site;
};

const draftOf = (description: string | undefined, options: NewOptions): NewMask => {
  const [forwardTo, ...others] = options.destination ?? [];
  const site = options.for === undefined ? undefined : siteOf(options.for);
  return {
    description: (description ?? site ?? "From the command line").slice(0, maxDescriptionLength),
    ...(site !== undefined && { madeFor: site }),
    ...(options.label && { labels: options.label }),
    ...(options.note && { note: options.note }),
    ...(forwardTo && { forwardTo }),
    ...(forwardTo && others.length > 0 && { destinations: [forwardTo, ...others] }),
  };
};

const printMask = ({ output }: Session, mask: Mask, sentence: string): void =>
  output.print({ value: maskJson(mask), lines: () => [plain(sentence)], quiet: [] });

const create = declare(
  "new [description]",
  "Create a mask and print its address",
  {
    call: "bauta-cli new --for shop.example --copy",
    does: "creates a mask for a shop and copies its address",
  },
  { call: "bauta-cli new Newsletters --label news --quiet", does: "prints the address alone, for a program" },
)
  .option("--for <site>", "the site that the mask is for")
  .option("--label <name>", "a label of the mask; can be repeated", collect)
  .option(
    "--destination <address>",
    "where its mail goes; can be repeated, and the account's if left out",
    collect,
  )
  .option("--note <text>", "what you want to remember about it")
  .option("--copy", "copy the address to the clipboard")
  .action(
    withApp(async (session, description: string | undefined, options: NewOptions) => {
      const { signedIn, output } = session;
      const mask = await run(signedIn.feature(createProgramMasks).make(draftOf(description, options)));
      const isCopied = options.copy === true && copyText(mask.maskEmail);
      output.print({ value: maskJson(mask), lines: () => [plain(mask.maskEmail)], quiet: [mask.maskEmail] });
      if (isCopied) output.note("The address is copied.");
      else if (options.copy) output.note("Nothing here copies text: install wl-copy, xclip or xsel.");
      if (mask.destinationStatus === "awaiting-confirmation")
        output.note(`It forwards once ${mask.forwardTo} is confirmed.`);
    }),
  );

const columns = [
  { title: "ADDRESS" },
  { title: "STATE" },
  { title: "MAIL", isRight: true },
  { title: "LABELS", least: 6 },
  { title: "DESCRIPTION", least: 11 },
];

const stateOf = (mask: Mask): string => (isActive(mask) ? "on" : "off");

const printMasks = ({ output }: Session, masks: readonly Mask[]): void =>
  output.print({
    value: masks.map(maskJson),
    quiet: masks.map(({ maskEmail }) => maskEmail),
    lines: () => [
      ...layOut(
        columns,
        masks.map((mask) => {
          const { address, received, labels, description } = maskJson(mask);
          return [address, stateOf(mask), String(received), labels.join(", "), description];
        }),
        output.width,
        (text, row, column) => {
          if (row === -1) return output.paint("dim", text);
          const mask = masks[row];
          if (column === 0 && mask && !isActive(mask)) return output.paint("dim", text);
          return column === 1 ? output.paint(text.startsWith("on") ? "green" : "yellow", text) : text;
        },
      ),
      countMasks(masks.length),
    ],
  });

const list = declare(
  "list [search...]",
  "List the masks that are on, or those that a search finds, newest first",
  { call: "bauta-cli list", does: "lists the masks that are on" },
  { call: "bauta-cli list label:shops is:off --json", does: "finds masks as the search of the app does" },
)
  .option("--all", "those that are off too")
  .action(
    withApp(async (session, words: readonly string[], { all = false }: { readonly all?: boolean }) => {
      const masks = await loadMasks(session, session.output);
      const found = searchMasks(masks, words.join(" "));
      printMasks(session, all || words.length > 0 ? found : found.filter(isActive));
    }),
  );

const show = declare("show <mask>", "Show a mask", {
  call: "bauta-cli show k7wq2",
  does: "shows the mask with this address, local part or beginning of an id",
}).action(
  withApp(async (session, name: string) => {
    const mask = findMask(await loadMasks(session, session.output), name);
    const shown = maskJson(mask);
    session.output.print({
      value: shown,
      quiet: [shown.address],
      lines: () =>
        layOutFacts([
          ["Address", shown.address],
          ["Description", shown.description],
          ["Made for", shown.madeFor],
          ["State", stateOf(mask)],
          ["Forwards to", shown.destinations.join(", ")],
          ["Labels", shown.labels.join(", ")],
          ["Note", shown.note],
          ["Received", String(shown.received)],
          ["Forwarded", String(shown.forwarded)],
          ["Blocked", String(shown.blocked)],
          ["Last mail", shown.lastMailAt ?? "never"],
          ["Rules", String(shown.rules)],
          ["Created", shown.created ?? ""],
          ["Id", shown.id],
        ]),
    });
  }),
);

const switching = (command: "on" | "off", does: string): Command =>
  declare(`${command} <mask...>`, does, {
    call: `bauta-cli ${command} k7wq2`,
    does: `switches a mask ${command}`,
  }).action(
    withApp(async (session, names: readonly string[]) => {
      const { signedIn } = session;
      const masks = await loadMasks(session, session.output);
      for (const { id, maskEmail } of names.map((name) => findMask(masks, name))) {
        await run(signedIn.masks.setActive(id, command === "on"));
        const now = signedIn.masks.view$.value.all.find((mask) => mask.id === id);
        if (now) printMask(session, now, `${maskEmail} is ${command}.`);
      }
    }),
  );

const remove = declare(
  "rm <mask...>",
  `Move masks to the trash, where they can be restored for ${trashDays} days`,
  {
    call: "bauta-cli rm k7wq2 --yes",
    does: "deletes a mask without asking",
  },
)
  .option("--yes", "do not ask")
  .action(
    withApp(async (session, names: readonly string[], { yes = false }: { readonly yes?: boolean }) => {
      const masks = await loadMasks(session, session.output);
      const chosen = names.map((name) => findMask(masks, name));
      const what = chosen.length === 1 ? chosen[0]?.maskEmail : countMasks(chosen.length);
      await confirm(`This deletes ${what}: mail to it is refused.`, yes);
      for (const mask of chosen) {
        await run(session.signedIn.masks.remove(mask.id));
        printMask(
          session,
          mask,
          `${mask.maskEmail} is deleted. \`bauta-cli restore\` brings it back within ${trashDays} days.`,
        );
      }
    }),
  );

const restore = declare("restore <mask...>", "Bring masks back from the trash", {
  call: "bauta-cli restore k7wq2",
  does: "restores a mask with its rules and figures",
}).action(
  withApp(async (session, names: readonly string[]) => {
    const trash = session.signedIn.feature(createTrash);
    await run(trash.refresh());
    const masks = trash.view$.value.masks ?? [];
    for (const mask of names.map((name) => findMask(masks, name))) {
      await run(trash.restore(mask.id));
      printMask(session, mask, `${mask.maskEmail} is restored.`);
    }
  }),
);

const label = declare(
  "label <mask> [labels...]",
  "Give a mask labels, or take them away; without labels, print those that it has",
  { call: "bauta-cli label k7wq2 shops --remove news", does: "adds one label and removes another" },
)
  .option("--remove <name>", "a label to remove; can be repeated", collect)
  .action(
    withApp(
      async (
        session,
        name: string,
        add: readonly string[],
        { remove: removed = [] }: { readonly remove?: readonly string[] },
      ) => {
        const before = findMask(await loadMasks(session, session.output), name);
        const isChange = add.length + removed.length > 0;
        const labels = changeLabels(before.labels ?? [], { add, remove: removed });
        const mask = isChange
          ? await run(session.signedIn.feature(createProgramMasks).change(before, { labels }))
          : before;
        session.output.print({
          value: maskJson(mask),
          quiet: mask.labels ?? [],
          lines: () => (mask.labels?.length ? mask.labels.map(plain) : ["The mask has no labels."]),
        });
      },
    ),
  );

export const maskCommands: readonly Command[] = [
  create,
  list,
  show,
  switching("on", "Switch masks on"),
  switching("off", "Switch masks off: their mail is not forwarded"),
  remove,
  restore,
  label,
];
