// Imported first: a process reads its catalogue while modules load. The tutorial's catalogue, with
// a column of notes, and another name of a currency.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-own-catalogue-'));
cpSync(join(__dirname, '../../examples/own-figures/catalogue'), folder, { recursive: true });
const file = join(folder, 'mappings.json');
const [first, ...others] = JSON.parse(readFileSync(file, 'utf8')) as object[];
writeFileSync(file, JSON.stringify([{ ...first, note: 'Source' }, ...others]));
const yen = { amount: { en: 'yen', zh: '日圆', ja: '円' }, name: { en: 'yen', zh: '日圆', ja: '円' } };
writeFileSync(join(folder, 'currencies.json'), JSON.stringify([{ code: 'JPY', ...yen }]));
process.env.CATALOGUE_DIR = folder;

afterAll(() => rmSync(folder, { recursive: true }));
