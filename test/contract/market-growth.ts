import type { DataSource } from 'typeorm';

/** Every instrument with prices of 1,500 days, about six years of working days. */
const STATEMENTS = [
  `INSERT INTO series (instrument, source_id, origins, withheld, baseline_day)
   SELECT key, source_id, '{}', false, '2026-04-13' FROM instruments ON CONFLICT DO NOTHING`,
  `INSERT INTO observations (series_id, period, valid_from, value, source_id, withheld, data_version)
   SELECT s.id, CASE n.native_timeframe WHEN 'MN' THEN to_char(d, 'YYYY-MM') WHEN 'W1' THEN to_char(d, 'IYYY-"W"IW')
                     ELSE to_char(d, 'YYYY-MM-DD') END,
          '2026-04-13', s.id + 1, s.source_id, false, 1
   FROM series s JOIN instruments n ON n.key = s.instrument
     CROSS JOIN generate_series(timestamp '2022-01-01', timestamp '2026-04-13', interval '1 day') d
   ON CONFLICT DO NOTHING`,
];

export async function growMarkets(publisher: DataSource): Promise<void> {
  for (const sql of STATEMENTS) await publisher.query(sql);
}
