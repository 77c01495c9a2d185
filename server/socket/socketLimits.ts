/** How often the server looks whether a socket still answers, and whether its session goes on. */
export const checkEveryMs = 30_000;
/** How many sockets one user may have open at once. */
export const socketsPerUser = 10;
/** Of messages beyond the 100 a minute that a client may send (RT9), so many are passed over before the socket is closed. */
export const messagesPassedOver = 100;
/** How many bytes may wait for a reader that does not read. */
export const unreadBytes = 1_000_000;
/** How many topics one socket may follow. */
export const topicsPerSocket = 100;
