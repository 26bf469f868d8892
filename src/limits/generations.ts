/**
 * A map that forgets what was not asked for lately, at constant cost: everything lives in the young half, and
 * each turn drops the old half and ages the young one.
 */
export class Generations<Value> {
  private young = new Map<string, Value>();
  private old = new Map<string, Value>();
  private turnedAt: number | null = null;

  /**
   * An entry lives at least `idleMs` after its last use, unless more than `atMost` come in that time: then the
   * longest unused half goes early. It never holds more than twice `atMost`.
   */
  constructor(
    private readonly idleMs: number,
    private readonly atMost = Infinity,
  ) {}

  get size(): number {
    return this.young.size + this.old.size;
  }

  take(key: string, now: number, create: () => Value): Value {
    this.turnedAt ??= now;
    if (now - this.turnedAt >= this.idleMs || this.young.size >= this.atMost) this.turn(now);
    const held = this.young.get(key);
    if (held !== undefined) return held;
    const value = this.old.get(key) ?? create();
    this.old.delete(key);
    this.young.set(key, value);
    return value;
  }

  private turn(now: number): void {
    this.old = this.young;
    this.young = new Map();
    this.turnedAt = now;
  }
}
