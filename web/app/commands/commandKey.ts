/** Names a key that is pressed with the command key, as this machine's keyboard does: "⌘ K", elsewhere "Ctrl K". */
export const commandKey = (key: string): string =>
  `${/Mac|iP/.test(navigator.platform) ? "⌘" : "Ctrl"} ${key}`;
