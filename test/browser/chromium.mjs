import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The path of Chromium: `CHROMIUM` if it is set, otherwise where Debian installs it; null if it is not there. */
export function findChromium() {
  const { CHROMIUM } = process.env;
  const places = CHROMIUM ? [CHROMIUM] : ['/usr/bin/chromium', '/usr/bin/chromium-browser'];
  return places.find((place) => existsSync(place)) ?? null;
}

/**
 * @param {string} executablePath from `findChromium`
 * @param {import('playwright-core').LaunchOptions} [options]
 */
export function launchChromium(executablePath, options = {}) {
  return chromium.launch({ executablePath, headless: true, args: ARGS, ...options });
}
