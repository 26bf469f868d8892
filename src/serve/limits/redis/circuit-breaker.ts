const TIMEOUTS_TO_OPEN = 3;

/**
 * Open at the start, after three time-outs without a prompt answer between them, and when it is tripped. A time-out counts
 * only if its command was sent after the previous one timed out: commands that wait through one stall together count once.
 */
export class CircuitBreaker {
  opens = 0;
  private open = true;
  private timeouts = 0;
  private lastTimeoutAt = -Infinity;
  private readonly listeners: ((isOpen: boolean) => void)[] = [];

  get isOpen(): boolean {
    return this.open;
  }

  onChange(listener: (isOpen: boolean) => void): void {
    this.listeners.push(listener);
  }

  recordSuccess(): void {
    this.timeouts = 0;
  }

  recordTimeout(sentAt: number, now: number): void {
    if (sentAt < this.lastTimeoutAt) return;
    this.lastTimeoutAt = now;
    this.timeouts += 1;
    if (this.timeouts >= TIMEOUTS_TO_OPEN) this.trip();
  }

  trip(): void {
    if (this.open) return;
    this.opens += 1;
    this.change(true);
  }

  reset(): void {
    if (this.open) this.change(false);
  }

  private change(isOpen: boolean): void {
    this.open = isOpen;
    this.timeouts = 0;
    for (const listener of this.listeners) listener(isOpen);
  }
}
