/** Counts as if the account had been admitted this often today. */
export async function spendDay(it, accountId, used) {
  await it.postgres.query(
    `INSERT INTO daily_usage (account_id, day, admitted) VALUES ($1, (now() AT TIME ZONE 'UTC')::date, $2)`,
    [accountId, used],
  );
}
