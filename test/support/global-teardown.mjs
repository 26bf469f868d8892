import { OPENED } from './global-setup.mjs';

export default async function tearDown() {
  const { engine, templates } = process[OPENED] ?? {};
  await templates?.close();
  await engine?.release();
}
