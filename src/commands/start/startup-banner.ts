import type { Demo } from './first-start.js';

interface Started {
  readonly baseUrl: string;
  readonly demo: Demo | null;
  readonly engine: 'embedded' | 'server';
}

/** The lines that a start prints: what a newcomer needs to try the service. */
export function startupBanner({ baseUrl, demo, engine }: Started): string {
  const key = demo?.key ?? null;
  const lines = [
    '',
    `  Tidemark answers at  ${baseUrl}`,
    `  Documentation        ${baseUrl}/docs`,
    `  For assistants, MCP  ${baseUrl}/api/v1/mcp`,
    '  Newer figures        npx tidemark sync  (nothing else asks publishers)',
  ];
  if (key !== null) lines.push(`  Demo key             ${key}`, '                       (shown this once; keep it)');
  else if (demo !== null) {
    lines.push(
      `  Demo account         ${demo.email}`,
      `  Another key          npx tidemark keys create --account ${demo.email}`,
    );
  }
  if (demo !== null) {
    lines.push(
      `  Account page, once   ${baseUrl}/account/link?token=${demo.signInToken}`,
      '',
      '  Try it:',
      `  curl -H "Authorization: Bearer ${key ?? '<key>'}" "${baseUrl}/api/v1/changes?country=JP&limit=3"`,
    );
  }
  lines.push('', engine === 'embedded' ? '  Stop with Ctrl-C: the database stops with it.' : '  Stop with Ctrl-C.', '');
  return lines.join('\n');
}
