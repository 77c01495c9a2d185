/** How many messages a minute a client sends at most (RT9, D19). */
export const messagesPerMinute = 100;
/** How many messages one batch holds at most (RT9). */
export const batchSize = 10;
/** How long one message may be, in bytes of UTF-8 (RT9). */
export const messageBytes = 16_384;
