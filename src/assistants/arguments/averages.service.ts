import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../serve/responses/request-context.js';
import { MarketsService } from '../../serve/resources/markets/markets.service.js';

const NAMES = { W: 'weekly-average', M: 'monthly-average' } as const;
/** The Federal Reserve averages the constant maturities that are read from the Treasury's par yield curve. */
const AVERAGED_AS = { daily: 'us-par-yield', average: 'us-treasury' } as const;

export type Averaged = keyof typeof NAMES;

/** Sources print averages of weeks and months that reach further back than the daily prices stored beside them. */
@Injectable()
export class Averages {
  constructor(private readonly markets: MarketsService) {}

  /** The key of the instrument with the averages of a daily one; null if none is stored. */
  async find(key: string, frequency: Averaged, context: RequestContext): Promise<string | null> {
    // A series of an economy is no price.
    if (key.includes('@')) return null;
    const { data: all } = await this.markets.list({ locale: context.locale }, context);
    const names = [key, key.replace(AVERAGED_AS.daily, AVERAGED_AS.average)].map(
      (name) => `${name}-${NAMES[frequency]}`,
    );
    return all.find((one) => names.includes(one.key))?.key ?? null;
  }
}
