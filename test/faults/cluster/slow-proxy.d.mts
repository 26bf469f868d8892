/** The types of `slow-proxy.mjs`, for tests in TypeScript. */
export declare class SlowProxy {
  static before(target: number, port?: number): Promise<SlowProxy>;
  /** Each way. */
  delayMs: number;
  readonly port: number;
  readonly accepted: number;
  readonly url: string;
  moveTo(target: number): void;
  cut(): void;
  silence(): void;
  mend(): void;
  close(): void;
}
