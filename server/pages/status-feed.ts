import type { StatusAnswer } from '#contract/public-figures.js';
import { componentNames, stateNames } from '#contract/status-names.js';

/**
 * The incidents as an Atom feed (RFC 4287): an entry when one begins, another if it gets worse, and
 * one when it ends; the newest first.
 */
export function statusFeed({ incidents, measured_at: measuredAt }: StatusAnswer, publicUrl: string): string {
  const url = new URL('/status', publicUrl).href;
  const feed = new URL('/status.xml', publicUrl).href;
  const entries = incidents.flatMap(entriesOf).sort((a, b) => b.at.localeCompare(a.at));
  const updated = entries[0]?.at ?? measuredAt ?? new Date().toISOString();
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <title>Pennytext status</title>
  <subtitle>Incidents of the API, sending, webhooks and email.</subtitle>
  <id>${escaped(feed)}</id>
  <link rel="self" type="application/atom+xml" href="${escaped(feed)}"/>
  <link rel="alternate" type="text/html" href="${escaped(url)}"/>
  <author><name>Pennytext</name></author>
  <updated>${updated}</updated>
${entries.map((entry) => entryText(entry, url)).join('')}</feed>
`;
}

interface Entry {
  /** Unique within this feed. */
  readonly key: string;
  readonly title: string;
  readonly text: string;
  readonly at: string;
}

type Incident = StatusAnswer['incidents'][number];

function entriesOf({ component, state, started_at: began, ended_at: ended }: Incident): Entry[] {
  const name = componentNames[component];
  const key = `${component}-${began}`;
  const title = `${name}: ${stateNames[state].toLowerCase()}`;
  const begin = { key: `${key}-${state}`, title, text: `Since ${timeText(began)}.`, at: began };
  if (ended === null) return [begin];
  const text = `It was ${state === 'outage' ? 'out' : 'delayed'} from ${timeText(began)} to ${timeText(ended)}.`;
  return [begin, { key: `${key}-ended`, title: `${name}: operational again`, text, at: ended }];
}

function entryText({ key, title, text, at }: Entry, url: string): string {
  return `  <entry>
    <id>${escaped(`${url}#${key}`)}</id>
    <title>${escaped(title)}</title>
    <link href="${escaped(url)}"/>
    <updated>${at}</updated>
    <content type="text">${escaped(text)}</content>
  </entry>
`;
}

/** UTC, as subscribers are in many time zones. */
function timeText(at: string): string {
  const text = new Date(at).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  return `${text.replace(/\s(?=[AP]M)/, ' ')} UTC`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
