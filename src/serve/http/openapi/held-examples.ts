import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Heartbeat } from '../../../store/heartbeat.js';
import { ReadRouter } from '../../../store/read-router.js';
import { ownMember } from '../../../domain/names/own-member.js';

interface Held {
  /** The name in the path. */
  readonly parameter: string;
  /** `$1` is the example of the schema, which is preferred. */
  readonly sql: string;
}

const orFirst = (column: string, from: string, order: string): string => `
  SELECT coalesce((SELECT ${column} FROM ${from} AND ${column} = $1),
                  (SELECT ${column} FROM ${from} ORDER BY ${order} LIMIT 1)) AS name`;

/** Names that depend on the data, by operation. */
const HELD: Readonly<Record<string, Held>> = {
  getChange: { parameter: 'id', sql: orFirst('id', `changes WHERE status <> 'withdrawn'`, 'position DESC') },
  getSignal: { parameter: 'id', sql: orFirst('id', 'signals WHERE true', 'id') },
  getCompany: { parameter: 'slug', sql: orFirst('slug', 'companies WHERE listed', 'folded_name, slug') },
  getStructure: { parameter: 'id', sql: orFirst('entity_id', 'companies WHERE listed', 'folded_name, slug') },
  getAhead: { parameter: 'id', sql: orFirst('id', 'calendar_events WHERE true', 'scheduled_on DESC') },
  getBrief: { parameter: 'date', sql: orFirst('day::text', 'briefs WHERE true', 'day DESC') },
  getInstrument: {
    parameter: 'key',
    sql: orFirst('key', 'instruments WHERE key IN (SELECT instrument FROM series)', 'ordinal'),
  },
};

interface Example {
  readonly name: string;
  example: string;
}

/** Keeps the examples of a document true: a form that is filled in gets an answer on whatever data is stored. */
@Injectable()
export class HeldExamples {
  private readAt: number | null = null;

  constructor(
    private readonly heartbeat: Heartbeat,
    private readonly readRouter: ReadRouter,
  ) {}

  /** Replaces examples that name nothing, once for each data version. Returns whether it looked; the database may be away. */
  async fill(document: OpenAPIObject): Promise<boolean> {
    const { dataVersion } = this.heartbeat.latest;
    if (this.heartbeat.lost || this.readAt === dataVersion) return false;
    this.readAt = dataVersion;
    return this.replace(document).then(
      () => true,
      () => {
        this.readAt = null;
        return false;
      },
    );
  }

  private async replace(document: OpenAPIObject): Promise<void> {
    for (const { get } of Object.values(document.paths)) {
      const held = ownMember(HELD, get?.operationId ?? '');
      const parameters = (get?.parameters ?? []) as Example[];
      const parameter = parameters.find(({ name }) => name === held?.parameter);
      if (held === undefined || parameter === undefined) continue;
      const { rows } = await this.readRouter.primary.query<{ name: string | null }>(held.sql, [parameter.example]);
      parameter.example = rows[0]?.name ?? parameter.example;
    }
  }
}
