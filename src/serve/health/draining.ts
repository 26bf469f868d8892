/** Whether the instance drains: it finishes its requests and asks clients to use another instance. */
export class Draining {
  private begun = false;

  /** Cannot be undone: the shutdown has begun. */
  begin(): void {
    this.begun = true;
  }

  get active(): boolean {
    return this.begun;
  }
}
