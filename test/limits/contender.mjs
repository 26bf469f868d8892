// One process of several that ask the same Redis at once. Told a subject, it answers with what it was admitted.
import { RedisWindowStore } from '../../dist/limits/redis-store.js';

const store = new RedisWindowStore(process.argv[2]);
const noneYet = () => Promise.resolve({ used: 0, ageMs: 0 });

process.on('message', async ({ subject, budget, requests }) => {
  // A round before this one may have been too much for Redis.
  await store.ready(10_000);
  const asked = Array.from({ length: requests }, () => store.admit(subject, budget, noneYet));
  const admissions = await Promise.all(asked);
  process.send({
    admitted: admissions.filter((admission) => admission.admitted).length,
    byFallback: admissions.filter((admission) => admission.via === 'fallback').length,
  });
});
process.on('disconnect', () => store.close());

process.send({ ready: await store.ready(10_000) });
