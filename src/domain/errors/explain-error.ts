/** Explains an error of a start or a command in one line that a person can act on; never a stack. */
export function explainError(error: unknown): string {
  // TypeORM's QueryFailedError, without loading TypeORM for each command.
  if (error instanceof Error && 'driverError' in error) return explainError(error.driverError);
  if (error instanceof AggregateError && error.errors.length > 0) return explainError(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  const {
    code,
    port,
    address = 'the address',
    variable = 'PORT',
  } = error as NodeJS.ErrnoException & { port?: number; address?: string; variable?: string };
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} is taken: stop what listens there, or set ${variable} to another`;
    case 'EACCES':
      return port === undefined ? error.message : `port ${port} may not be opened by this user: set ${variable}`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${address} cannot be reached or listened on: check HOST and the database address`;
    case 'ECONNREFUSED':
      return `no server responds at ${address}:${port}: is the database server running?`;
    case '28P01':
    case '28000':
      return `the database refused the login: check user and password (${error.message})`;
    case '3D000':
      return `the database does not exist: create it first (${error.message})`;
    case '42P01':
      return 'the database is not migrated: run npx tidemark migrate';
    case '42501':
      return `the database role lacks a right: ${error.message}`;
    case '53100':
      return 'the disk of the database server is full';
    case '57P01':
    case '57P02':
    case '57P03':
      return `the database server is stopping or starting: try again (${error.message})`;
    case 'EPIPE':
    case 'ECONNRESET':
      return 'the connection to the database was lost: try again';
    case 'ENOSPC':
      return 'the disk is full';
    default:
      // The driver has no code for a server that times out or dies.
      if (error.message.startsWith('Connection terminated due to connection timeout')) {
        return 'the database does not respond in time: is it running, and can it be reached from here?';
      }
      return error.message.startsWith('Connection terminated')
        ? 'the connection to the database was lost: try again'
        : error.message;
  }
}
