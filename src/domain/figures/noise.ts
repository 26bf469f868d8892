/** Moved by a smaller share, a value is the same in another floating-point number: the last digits of publishers' files move. */
export const NOISE = 1e-6;
