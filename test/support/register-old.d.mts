export function registerOld(url: string): Promise<void>;
