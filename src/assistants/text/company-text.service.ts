import { Injectable } from '@nestjs/common';
import { regionName } from '../../domain/catalogue/closed-sets.js';
import { formatDay } from '../../domain/locale/format.js';
import type { Locale } from '../../domain/locale/locale.js';
import { VOICES } from '../../domain/locale/voice/voices.js';
import type { Company, CompanyDetail } from '../../serve/resources/companies/company.schema.js';
import { linkOf } from '../../serve/responses/url-builder.service.js';
import { ChangeText } from './change-text.service.js';
import type { Candidates, ListedCompany } from '../arguments/company-finder.service.js';
import { codeSpan } from '../protocol/quoted-text.js';
import { TextRenderer } from './text-renderer.service.js';

type Relation = CompanyDetail['relations'][number];

/** Renders a company as text: identifiers, group, newest changes; or the candidates of a query. */
@Injectable()
export class CompanyText {
  constructor(
    private readonly renderer: TextRenderer,
    private readonly changes: ChangeText,
  ) {}

  candidates({ candidates }: Candidates, locale: Locale): string[] {
    return [
      this.renderer.say(locale, 'company.candidates'),
      ...candidates.map(
        (company) =>
          `- ${company.slug}: ${this.identity(company, locale)}${this.group(company, locale)} ${linkOf(company)}`,
      ),
    ];
  }

  one(company: ListedCompany, locale: Locale): string[] {
    const { lei, records, relations, relationsOmitted = 0, structureUrl, changes, counts, known } = company;
    const { inCountries } = company;
    const { consolidated: count } = counts;
    const isUnknown = lei === null && counts.subsidiaries === 0;
    return [
      this.identity(company, locale),
      ...records,
      linkOf(company),
      this.renderer.say(locale, isUnknown ? 'company.no_register' : 'company.counts', counts),
      ...(count === 0 ? [] : [this.renderer.say(locale, 'company.group', { count })]),
      ...(isUnknown ? [] : [this.renderer.say(locale, 'company.structure', { url: structureUrl })]),
      ...(known.stated === null || known.stated === known.given
        ? []
        : [this.renderer.say(locale, 'company.known', { given: known.given, stated: known.stated })]),
      ...(inCountries === undefined || isUnknown
        ? []
        : [this.renderer.say(locale, 'company.in_countries', { count: inCountries })]),
      ...relations.map((relation) => this.relation(relation, locale)),
      ...(relationsOmitted > 0 ? [this.renderer.say(locale, 'company.more', { count: relationsOmitted })] : []),
      ...(changes.length > 0 ? ['', ...this.changes.page(changes, locale)] : []),
    ];
  }

  /** Tells candidates of one name apart. */
  private group({ parent, counts }: Company, locale: Locale): string {
    const who = parent === null ? null : parent.name === null ? parent.lei : codeSpan(parent.name);
    const facts = [
      ...(who === null ? [] : [this.renderer.say(locale, 'company.parent', { who })]),
      ...(counts.consolidated === 0
        ? []
        : [this.renderer.say(locale, 'company.group', { count: counts.consolidated })]),
    ];
    return facts.map((fact) => ` · ${fact}`).join('');
  }

  private identity({ name, legalName, lei, cik, tickers, country, sources }: Company, locale: Locale): string {
    const facts = [
      codeSpan(name),
      ...(legalName === null || legalName === name ? [] : [codeSpan(legalName)]),
      ...(tickers.length > 0 ? [tickers.join(', ')] : []),
      ...(lei === null ? [] : [`LEI ${lei}`]),
      ...(cik === null ? [] : [`CIK ${cik}`]),
      ...(country === null
        ? []
        : [this.renderer.say(locale, 'company.country', { country: regionName(locale, country) })]),
    ];
    return `${facts.join(' · ')} [${sources.join(', ')}]`;
  }

  private relation({ relation, name, lei, missing, slug, country, since, source }: Relation, locale: Locale): string {
    // The LEI identifies an entity that no imported register names.
    const nameless = lei === null ? this.renderer.say(locale, `missing.${missing ?? 'not_in_source'}`) : `LEI ${lei}`;
    const facts = [
      ...(name === null || lei === null ? [] : [`LEI ${lei}`]),
      ...(slug === null ? [] : [slug]),
      ...(country === null ? [] : [regionName(locale, country)]),
      ...(since === null ? [] : [this.renderer.say(locale, 'company.since', { day: formatDay(locale, since) })]),
    ];
    const by = facts.join(VOICES[locale].comma);
    const about = facts.length === 0 ? '' : this.renderer.say(locale, 'change.by', { by });
    return `- ${this.renderer.say(locale, `company.${relation}`, { who: name === null ? nameless : codeSpan(name) })}${about} [${source}]`;
  }
}
