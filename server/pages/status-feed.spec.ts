import { serviceStatus } from '#contract/examples.js';
import { statusFeed } from './status-feed.js';

const incident = {
  component: 'sending',
  state: 'outage',
  started_at: '2026-11-22T14:58:05.000Z',
  ended_at: '2026-11-22T15:30:00.000Z',
} as const;
const open = {
  component: 'webhooks',
  state: 'degraded',
  started_at: '2026-11-22T15:10:00.000Z',
  ended_at: null,
} as const;

const feedOf = (...incidents: (typeof incident | typeof open)[]) =>
  statusFeed({ ...serviceStatus, incidents }, 'https://sms.example.org/?a&b');
const valuesOf = (feed: string, tag: string) =>
  [...feed.matchAll(new RegExp(`<${tag}(?: type="text")?>([^<]*)</${tag}>`, 'g'))].map(([, text]) => text);

describe('the feed of the status', () => {
  it('has an entry for the beginning of an incident and one for its end, the newest first', () => {
    const feed = feedOf(incident, open);
    expect(valuesOf(feed, 'title')).toEqual([
      'Pennytext status',
      'Sending: operational again',
      'Webhooks: delayed',
      'Sending: outage',
    ]);
    expect(valuesOf(feed, 'updated')).toEqual([
      incident.ended_at,
      incident.ended_at,
      open.started_at,
      incident.started_at,
    ]);
    expect(valuesOf(feed, 'content')).toEqual([
      'It was out from Nov 22, 2026, 2:58 PM UTC to Nov 22, 2026, 3:30 PM UTC.',
      'Since Nov 22, 2026, 3:10 PM UTC.',
      'Since Nov 22, 2026, 2:58 PM UTC.',
    ]);
  });

  it('gives every change an id of its own, which stays: also when an incident gets worse', () => {
    const ids = (feed: string) => valuesOf(feed, 'id').slice(1);
    const [begin = ''] = ids(feedOf(open));
    expect(new Set(ids(feedOf(incident, open))).size).toBe(3);
    expect(ids(feedOf(incident, open))).toContain(begin);
    const worse = { ...serviceStatus, incidents: [{ ...open, state: 'outage' as const }] };
    expect(ids(statusFeed(worse, 'https://sms.example.org'))).not.toContain(begin);
  });

  it('is valid without incidents: with the time of the measurement', () => {
    const feed = feedOf();
    expect(feed).not.toContain('<entry>');
    expect(valuesOf(feed, 'updated')).toEqual([serviceStatus.measured_at]);
    expect(feed).toContain('href="https://sms.example.org/status.xml"');
  });
});
