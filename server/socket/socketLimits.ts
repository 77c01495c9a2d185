/** How often the server looks whether a socket still answers, and whether its session goes on. */
export const checkEveryMs = 30_000;
/** How many sockets one user may have open at once. */
export const socketsPerUser = 10;
/** A page sends at most 100 messages a minute (RT9); twice that is somebody else. */
export const messagesPerMinute = 200;
/** How many bytes may wait for a reader that does not read. */
export const unreadBytes = 1_000_000;
