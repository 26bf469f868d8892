/** The types of `inside.mjs`, for tests in TypeScript. */
export declare function insideOf(text: string, asked?: string): string | null;
