/** Said to every model once, before it calls anything. */
export const INSTRUCTIONS = `Tidemark knows verified changes in sourced economic and market figures: newly published figures, revisions, market moves, policy rates, group structures; also the release calendar, companies, daily briefs, and how much changed in a country. Figures are as fresh as each publisher's last release, not live; an answer names its data revision and, per figure, the period it is for.
Cite: give each figure with unit, period, source name and link, and show every sentence marked as a notice. Never state a figure without its source.
Not here: forecasts, article texts, evidence passages, filings, advice, live quotes, BIS figures.
Each tool answers its question in one call, and each call costs one request of the account's plan (Free: one a minute): ask once, with filters, rather than item by item. When refused for the limit, wait the seconds that the message names.
Days are YYYY-MM-DD in UTC. Set locale (en, zh, ja) to the language you answer in.`;
