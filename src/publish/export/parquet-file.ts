import { fileWriter, ParquetWriter } from 'hyparquet-writer';
import type { ColumnType, ExportedRow } from './exported-tables.js';
import { ownMember } from '../../domain/names/own-member.js';

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;

const ELEMENTS: Readonly<Record<Exclude<ColumnType, 'texts'>, Omit<SchemaElement, 'name'>>> = {
  text: TEXT,
  integer: { type: 'INT32' },
  number: { type: 'DOUBLE' },
  date: { type: 'INT32', converted_type: 'DATE' },
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
};

/** Writes each batch of rows as a row group, so that memory does not grow with the file. */
export class ParquetFile {
  private readonly writer: ParquetWriter;

  constructor(
    path: string,
    private readonly columns: Readonly<Record<string, ColumnType>>,
    dataVersion: number,
  ) {
    this.writer = new ParquetWriter({
      writer: fileWriter(path),
      schema: schemaOf(columns),
      createdBy: 'tidemark',
      kvMetadata: [{ key: 'dataVersion', value: String(dataVersion) }],
    });
  }

  async write(rows: readonly ExportedRow[]): Promise<void> {
    const columnData = Object.entries(this.columns).map(([name, type]) => ({
      name,
      data: rows.map((row) => {
        const value = ownMember(row, name);
        return type === 'date' ? dateOf(value) : value;
      }),
    }));
    await this.writer.write({ columnData, rowGroupSize: Math.max(rows.length, 1) });
  }

  async close(): Promise<void> {
    await this.writer.finish();
  }
}

const dateOf = (day: unknown): Date | null => (typeof day === 'string' ? new Date(`${day}T00:00:00Z`) : null);

function schemaOf(columns: Readonly<Record<string, ColumnType>>): SchemaElement[] {
  const entries = Object.entries(columns);
  return [
    { name: 'root', num_children: entries.length },
    ...entries.flatMap(([name, type]): SchemaElement[] =>
      type === 'texts'
        ? [
            { name, converted_type: 'LIST', repetition_type: 'REQUIRED', num_children: 1 },
            { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
            { name: 'element', repetition_type: 'REQUIRED', ...TEXT },
          ]
        : [{ name, repetition_type: 'OPTIONAL', ...ELEMENTS[type] }],
    ),
  ];
}
