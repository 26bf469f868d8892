// Puts the cluster's PostgreSQL on a small disk: a file system in memory, which only root can mount.
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rename, rmdir, stat } from 'node:fs/promises';

const run = (...command) => execFileSync(command[0], command.slice(1), { encoding: 'utf8', stdio: 'pipe' });

/**
 * Moves the server's folder, with a restart; at the end the folder is back in its place.
 * @param {{ freeMegabytes: number, logElsewhere?: boolean }} how `logElsewhere`: the write-ahead log keeps its previous
 * space
 * @returns {Promise<{ away: () => Promise<void>, grow: () => void } | null>} null if it is not possible
 */
export async function onSmallDisk(it, defer, { freeMegabytes, logElsewhere = false }) {
  const { data } = it.postgres;
  const whole = `${data}-whole`;
  if (process.getuid() !== 0) return null;
  const { uid, gid } = await stat(data);
  const used = Number(run('du', '-sm', ...(logElsewhere ? ['--exclude=pg_wal'] : []), data).split('\t')[0]);
  await it.postgres.stop();
  await rename(data, whole);
  await mkdir(data);
  const back = async () => {
    await rmdir(data);
    await rename(whole, data);
    await it.postgres.start();
  };
  const size = (megabytes) => `size=${megabytes}m,mode=0700,uid=${uid},gid=${gid}`;
  try {
    run('mount', '-t', 'tmpfs', '-o', size(used + freeMegabytes), 'tmpfs', data);
  } catch {
    await back();
    return null;
  }
  let there = true;
  const away = async () => {
    if (!there) return;
    there = false;
    await it.postgres.kill();
    run('umount', '-l', data);
    if (logElsewhere) run('rm', '-rf', `${whole}-wal`);
    await back();
  };
  defer(away);
  const parts = (await readdir(whole)).filter((name) => !logElsewhere || name !== 'pg_wal');
  run('cp', '-a', ...parts.map((name) => `${whole}/${name}`), data);
  if (logElsewhere) {
    run('cp', '-a', `${whole}/pg_wal`, `${whole}-wal`);
    run('ln', '-s', `${whole}-wal`, `${data}/pg_wal`);
  }
  await it.postgres.start();
  return {
    /** The folder as it was before, without later changes. */
    away,
    grow: () => run('mount', '-o', `remount,${size(used + freeMegabytes + 4_000)}`, data),
  };
}
