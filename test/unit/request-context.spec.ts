import { PLAN_TERMS } from '../../src/domain/plans/plans.js';
import { RequestContext, type SentParameters } from '../../src/serve/responses/request-context.js';

const contextOf = (sent: SentParameters): RequestContext =>
  new RequestContext('an-id', new Date('2026-11-21T23:59:59Z'), '/api/v1/changes', () => sent);

describe('The context of a request', () => {
  it.each([
    [{}, 'en'],
    [{ locale: 'ja' }, 'ja'],
    [{ locale: 'fr' }, 'en'],
    [{ locale: ['ja', 'zh'] }, 'en'],
  ])('has the locale that %j names, if valid and sent once, otherwise English', (sent, locale) => {
    expect(contextOf(sent).locale).toBe(locale);
  });

  it('parses its query once, on first use', () => {
    let parsed = 0;
    const context = new RequestContext('an-id', new Date(), '/', () => ({ cursor: String((parsed += 1)) }));
    expect(parsed).toBe(0);
    expect([context.query['cursor'], context.locale, context.notBefore, parsed]).toEqual(['1', 'en', 0, 1]);
  });

  it('takes its parameters from a body that contains them', () => {
    const context = contextOf({ locale: 'zh' });
    context.query = { locale: 'ja' };
    expect(context.locale).toBe('ja');
  });

  it('resolves today in UTC, has the smallest plan’s reach, and has no account before the key guard', () => {
    const context = contextOf({});
    expect([context.today, context.reach]).toEqual(['2026-11-21', PLAN_TERMS.free]);
    expect(() => context.accountId).toThrow('missing_key');
    context.caller = { accountId: 'acc_1', keyId: 'key_1', plan: 'pro' };
    expect(context.accountId).toBe('acc_1');
  });
});
