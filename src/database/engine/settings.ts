// How the embedded server is set up: small, private, and as durable as any PostgreSQL.
import type { EngineHome } from './home.js';

const SETTINGS: Readonly<Record<string, string>> = {
  shared_buffers: '32MB',
  max_connections: '60',
  max_wal_size: '128MB',
  min_wal_size: '32MB',
  jit: 'off',
  autovacuum_max_workers: '1',
  io_method: 'sync',
  unix_socket_permissions: '0700',
  timezone: 'UTC',
  lc_messages: 'C',
  log_checkpoints: 'off',
  // The log must hold no e-mail address, hash or password: neither statements nor the values in DETAIL lines.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

export function serverArguments(home: EngineHome, port: number): string[] {
  const listen =
    home.socketDir === undefined
      ? { listen_addresses: '127.0.0.1' }
      : // The setting is a list: quotes keep a comma in a path from splitting it.
        { listen_addresses: '', unix_socket_directories: `"${home.socketDir.replaceAll('"', '""')}"` };
  const settings = Object.entries({ ...SETTINGS, ...listen, port: String(port) });
  return settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
