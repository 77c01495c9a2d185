/** The interval at which a process shows the others on its database that it runs. */
export const beatIntervalMs = 10_000;

/** After this time without a sign a process counts as dead: its mail, tasks and messages to webhooks are taken by others. */
export const silentMs = 4 * beatIntervalMs;
