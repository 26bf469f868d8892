import { Redis } from 'ioredis';

/**
 * Makes an empty Redis one in use. Instances take a new one for one that lost its memory, and for two seconds refuse most of
 * the minute of an account that they do not know.
 */
export async function registerOld(url) {
  const client = new Redis(url);
  // A node of a cluster has no slots yet.
  await client.hsetnx('tm:instances', 'since', 1).catch(() => undefined);
  client.disconnect();
}
