import type { KeyedHash } from "../ops/keyedHash.ts";
import { maxChangedKeys, maxSharedKeys, nearLimit, overlapMs, type RateExchange } from "./rateExchange.ts";

const connectWithinMs = 5_000;
const answerWithinMs = 10_000;
const reconnectEachMs = 1_000;

/**
 * Adds up as the statement of PostgreSQL does. The keys: what is used, as "amount time"; when each key is free again;
 * when keys changed of which much is used.
 */
const script = `
local used, free, changed = KEYS[1], KEYS[2], KEYS[3]
local rows, since, maxKeys, maxChanged = cjson.decode(ARGV[1]), ARGV[2], tonumber(ARGV[4]), tonumber(ARGV[5])
local now = tonumber(ARGV[3])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + time[2] / 1000
end
local function read(key)
  local amount, at = string.match(redis.call('HGET', used, key) or '0 0', '(%S+) (%S+)')
  return tonumber(amount), tonumber(at)
end
local answer, given = {}, {}
for _, row in ipairs(rows) do
  local key, amount, burst, perSecond = row[1], row[2], row[3], row[4]
  local before, at = read(key)
  local left = math.max(0, before - math.max(0, now - at) / 1000 * perSecond)
  local after = math.max(0, math.min(2 * burst, left + amount))
  redis.call('HSET', used, key, string.format('%.6f %.3f', after, now))
  redis.call('ZADD', free, now + after / perSecond * 1000, key)
  if after >= burst * tonumber(ARGV[6]) then redis.call('ZADD', changed, now, key) end
  given[key] = true
  table.insert(answer, { key, after })
end
for _, key in ipairs(redis.call('ZREVRANGEBYSCORE', changed, '+inf', '(' .. since, 'LIMIT', 0, maxChanged)) do
  if not given[key] then
    local amount = read(key)
    table.insert(answer, { key, amount })
  end
end
redis.call('ZREMRANGEBYSCORE', changed, '-inf', now - 60000)
local gone = redis.call('ZRANGEBYSCORE', free, '-inf', now, 'LIMIT', 0, 2000)
if #gone == 0 then
  local excess = redis.call('ZCARD', free) - maxKeys
  if excess > 0 then gone = redis.call('ZRANGE', free, 0, math.min(excess, 2000) - 1) end
end
if #gone > 0 then
  redis.call('HDEL', used, unpack(gone))
  redis.call('ZREM', free, unpack(gone))
end
for _, key in ipairs(KEYS) do redis.call('EXPIRE', key, 86400) end
return cjson.encode({ now, answer })
`;

export interface RedisRatesOptions {
  /** Time in milliseconds in place of the server's, which is the same for all processes. */
  readonly now?: () => number;
  /** The most keys that stay. */
  readonly maxKeys?: number;
}

/** Connects to a Redis or Valkey server and creates the exchange there; rejects when it cannot be reached. */
export const openRedisRates = async (
  url: string,
  hash: KeyedHash,
  { now, maxKeys = maxSharedKeys }: RedisRatesOptions = {},
): Promise<RateExchange> => {
  // Most processes need no client, so none is loaded for them.
  const { default: redis } = await import("@redis/client");
  let isConnected = false;
  const client = redis.createClient({
    url,
    disableOfflineQueue: true,
    socket: {
      connectTimeout: connectWithinMs,
      socketTimeout: answerWithinMs,
      reconnectStrategy: (_tries, cause) => (isConnected ? reconnectEachMs : cause),
    },
  });
  // A command that fails rejects; an unheard error would end the process.
  client.on("error", () => {});
  await client.connect();
  isConnected = true;
  // Installations may share a server; the braces keep the keys together in a cluster.
  const name = `{bauta:${hash("rate", "installation").slice(0, 22)}}`;
  const keys = [`${name}:used`, `${name}:free`, `${name}:changed`];
  let readUntil = 0;
  return {
    exchange: async (taken) => {
      const rows = taken.map(({ key, amount, burst, perSecond }) => [key, amount, burst, perSecond]);
      const answer = await client.eval(script, {
        keys,
        arguments: [
          JSON.stringify(rows),
          String(readUntil - overlapMs),
          String(now?.() ?? ""),
          String(maxKeys),
          String(maxChangedKeys),
          String(nearLimit),
        ],
      });
      const [at, used] = JSON.parse(String(answer)) as [number, readonly [string, number][] | object];
      readUntil = at;
      return Array.isArray(used) ? used.map(([key, amount]) => ({ key, used: amount })) : [];
    },
    close: async () => client.destroy(),
  };
};
