// One of several processes that send requests to the same Redis. On receiving a subject, it replies with the number of
// its admitted requests.
import { RedisStore } from '../../dist/serve/limits/redis/redis-store.js';

const store = new RedisStore(process.argv[2]);
const noneYet = () => Promise.resolve(0);

process.on('message', async ({ subject, budget, requests }) => {
  const asked = Array.from({ length: requests }, () => store.admit(subject, budget, noneYet));
  const admissions = await Promise.all(asked);
  process.send({ admitted: admissions.filter(({ admitted }) => admitted).length });
});
process.on('disconnect', () => store.close());

process.send({ ready: await store.ready(10_000) });
