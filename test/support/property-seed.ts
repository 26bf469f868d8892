import fc from 'fast-check';

// CI must test the change, not chance: a property that fails there fails again on any machine. For other seeds, by
// hand: `TIDEMARK_PROPERTY_SEED=random npx jest test/unit`, or the number in a failure's message.
const seed = process.env['TIDEMARK_PROPERTY_SEED'] ?? '20260101';
if (seed !== 'random' && !/^-?\d+$/.test(seed)) {
  throw new Error(`TIDEMARK_PROPERTY_SEED is a whole number or "random", not "${seed}"`);
}
if (seed !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
