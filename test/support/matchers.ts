// jest types its asymmetric matchers as `any`, which would disable type checks around them.

export const anyText: unknown = expect.any(String);
export const like = (part: object): unknown => expect.objectContaining(part);
export const holding = (text: string): unknown => expect.stringContaining(text);
export const formed = (pattern: RegExp): unknown => expect.stringMatching(pattern);
