/** Whether the process is on its way out: it still answers, and asks for nothing new. */
export class Draining {
  private begun = false;

  /** There is no way back: a process that has said it leaves does leave. */
  begin(): void {
    this.begun = true;
  }

  get active(): boolean {
    return this.begun;
  }
}
