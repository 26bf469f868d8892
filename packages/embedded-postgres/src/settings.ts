// The server's settings: little memory, no network, PostgreSQL's default durability.
import type { ServerHome } from './home.js';

const SETTINGS: Readonly<Record<string, string>> = {
  shared_buffers: '32MB',
  max_connections: '100',
  max_wal_size: '128MB',
  min_wal_size: '32MB',
  jit: 'off',
  autovacuum_max_workers: '1',
  io_method: 'sync',
  unix_socket_permissions: '0700',
  timezone: 'UTC',
  lc_messages: 'C',
  log_checkpoints: 'off',
  // Keeps statements and the values of DETAIL lines, thus e-mail addresses, hashes and passwords, out of the log.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

export function serverArguments(home: ServerHome, port: number): string[] {
  const listen =
    home.socketDir === undefined
      ? { listen_addresses: '127.0.0.1' }
      : // The setting is a list: quotes protect a comma in a path.
        { listen_addresses: '', unix_socket_directories: `"${home.socketDir.replaceAll('"', '""')}"` };
  const settings = Object.entries({ ...SETTINGS, ...listen, port: String(port) });
  return settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
