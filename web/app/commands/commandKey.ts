/** How this machine's keyboard names a key that is pressed with the command key: "⌘ K", elsewhere "Ctrl K". */
export const commandKey = (key: string): string =>
  `${/Mac|iP/.test(navigator.platform) ? "⌘" : "Ctrl"} ${key}`;
