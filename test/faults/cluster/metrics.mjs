// The metrics of an instance, as Prometheus would read them.
import { get } from './get.mjs';

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/;

/** @returns {Promise<{ name: string, labels: Record<string, string>, value: number }[]>} */
export async function readMetrics(url) {
  const { status, text } = await get(url);
  if (status !== 200) throw new Error(`${url} answered ${status}`);
  return text
    .split('\n')
    .map((line) => LINE.exec(line))
    .filter((found) => found !== null)
    .map(([, name, labels = '', value]) => ({
      name,
      labels: Object.fromEntries(
        [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, said]) => [label, said]),
      ),
      value: Number(value),
    }));
}

/** The sum of the samples with this name and all of these labels. */
export function sumOf(metrics, name, labels = {}) {
  return metrics
    .filter((one) => one.name === name)
    .filter((one) => Object.entries(labels).every(([label, text]) => one.labels[label] === text))
    .reduce((sum, one) => sum + one.value, 0);
}
