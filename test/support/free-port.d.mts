/** The types of `free-port.mjs`, for tests in TypeScript. */
export declare function freePort(): Promise<number>;
