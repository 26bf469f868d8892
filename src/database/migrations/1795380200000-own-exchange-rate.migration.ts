import type { MigrationInterface, QueryRunner } from 'typeorm';

const REASON = 'The exchange rate of a currency against itself is no news';

/** Withdraws what the rules no longer derive: the exchange rate of the US dollar against the US dollar. */
export class OwnExchangeRate1795380200000 implements MigrationInterface {
  readonly name = 'OwnExchangeRate1795380200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `UPDATE changes c SET status = 'withdrawn', withdrawn_at = now(), updated_at = now(), withdrawal_reason = $1
       FROM series s JOIN indicators i ON i.slug = s.indicator JOIN regions r ON r.code = s.region
       WHERE s.id = c.series_id AND i.unit = 'lcu_per_usd' AND r.currency = 'USD' AND c.status <> 'withdrawn'`,
      [REASON],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `UPDATE changes SET status = 'verified', withdrawn_at = NULL, withdrawal_reason = NULL
       WHERE withdrawal_reason = $1`,
      [REASON],
    );
  }
}
