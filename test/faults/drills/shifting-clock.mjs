// Loaded into one instance before its own code: each SIGUSR2 moves its wall clock to the next offset in CLOCK_OFFSETS,
// in milliseconds. The monotonic clock continues, as it does when a real clock is set.
const offsets = (process.env.CLOCK_OFFSETS ?? '').split(',').map(Number);
const RealDate = Date;
let at = -1;
let offset = 0;

class ShiftedDate extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + offset);
    else super(...given);
  }

  static now() {
    return RealDate.now() + offset;
  }
}

globalThis.Date = ShiftedDate;
process.on('SIGUSR2', () => {
  at += 1;
  offset = offsets[at % offsets.length];
  process.stdout.write(`the clock is ${offset} ms off\n`);
});
