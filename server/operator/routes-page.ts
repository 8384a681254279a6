import type { FastifyInstance } from 'fastify';
import { regions } from '#contract/regions.js';
import type { RouteReport, RouteReports } from '#core/routes/route-report.js';
import { escapedHtml } from '#core/rules/html.js';
import { type OperatorPassword, serveToOperator } from './operator-scope.js';

const PATH = '/operator/routes';
const NONE = '–';

type Route = RouteReport['routes'][number];

/** Serves the operator's read-only view of the routes and of the outcomes of their messages. */
export async function serveRoutesPage(
  fastify: FastifyInstance,
  reports: RouteReports,
  password: OperatorPassword,
): Promise<void> {
  await serveToOperator(fastify, PATH, password, (scope) => {
    scope.get('', async (_request, reply) => reply.type('text/html; charset=utf-8').send(pageOf(await reports.read())));
  });
}

/** The page as HTML without client code. Times are in UTC. */
export function pageOf({ routes, changes }: RouteReport): string {
  const measured = Math.max(0, ...routes.map(({ measuredAt }) => measuredAt?.getTime() ?? 0));
  const measuredText = measured > 0 ? `Measured at ${timeOf(new Date(measured))}.` : 'Not measured yet.';
  const noRoutes = '<p>No country has routes: the senders of every carrier serve all of them.</p>';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Routes</title>
<style>
:root { color-scheme: light dark; }
body { font: 14px/1.5 system-ui, sans-serif; margin: 24px; }
h1 { font-size: 22px; } h2 { font-size: 17px; margin-top: 32px; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { padding: 4px 12px 4px 0; text-align: left; vertical-align: top; border-bottom: 1px solid #8884; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.bad { font-weight: 600; color: light-dark(#b00020, #ff8a80); }
code { overflow-wrap: anywhere; }
</style>
</head>
<body>
<h1>Routes</h1>
<p><a href="/operator/queues">Queues</a>. ${measuredText}
Change them by <code>npm run -s admin -- route …</code></p>
${routes.length === 0 ? noRoutes : routesTable(routes)}
<h2>Latest changes</h2>
${changes.length === 0 ? '<p>None.</p>' : changesTable(changes)}
</body>
</html>
`;
}

const routeColumns: readonly (readonly [title: string, cell: (route: Route) => string, isNumber?: boolean])[] = [
  ['Country', ({ country }) => regions.find(({ iso2 }) => iso2 === country)?.country ?? country],
  ['Mode', ({ mode }) => mode],
  ['Carrier', ({ carrierName }) => carrierName],
  ['Weight', ({ weight, isHeld }) => `${weight}${isHeld ? ' (held)' : ''}`, true],
  ['Resting', ({ restingWeight }) => String(restingWeight), true],
  ['Bad, 10 min', ({ bad, messages }) => shareText(bad, messages), true],
  ['Delivered, 1 h', ({ hourDelivered, hourMessages }) => shareText(hourDelivered, hourMessages), true],
  ['Receipt p50', ({ p50Ms }) => secondsText(p50Ms), true],
  ['p95', ({ p95Ms }) => secondsText(p95Ms), true],
  ['Codes entered, 7 d', ({ codesEntered, codesDelivered }) => shareText(codesEntered, codesDelivered), true],
  ['Cost of a segment', ({ costMicrousd }) => (costMicrousd === null ? NONE : `$${costMicrousd / 1_000_000}`), true],
  ['Receipts', ({ receiptLevel }) => receiptLevel],
];

function routesTable(routes: readonly Route[]): string {
  const heads = [...routeColumns.map(([title, , isNumber]) => headOf(title, isNumber)), headOf('State')];
  const rows = routes.map((route) => {
    const cells = routeColumns.map(([, cell, isNumber]) => cellOf(cell(route), isNumber ? 'number' : undefined));
    const flags = flagsOf(route);
    return `<tr>${cells.join('')}${cellOf(flags.join(', ') || 'open', flags.length > 0 ? 'bad' : undefined)}</tr>`;
  });
  return tableOf('Routes', heads, rows);
}

function flagsOf({ active, isConfigured, isCarrierPaused, isDoubtful }: Route): string[] {
  return [
    ...(active ? [] : ['paused']),
    ...(isConfigured ? [] : ['carrier not configured']),
    ...(isCarrierPaused ? ['carrier paused'] : []),
    ...(isDoubtful ? ['doubtful receipts'] : []),
  ];
}

function changesTable(changes: RouteReport['changes']): string {
  const heads = ['Time (UTC)', 'Country', 'Cause', 'From', 'To', 'Figures'].map((title) => headOf(title));
  const rows = changes.map(({ at, country, cause, from, to, figures }) => {
    const code = (value: object) => `<td><code>${escapedHtml(JSON.stringify(value))}</code></td>`;
    return `<tr>${cellOf(timeOf(at))}${cellOf(country)}${cellOf(cause)}${code(from)}${code(to)}${code(figures)}</tr>`;
  });
  return tableOf('Latest changes', heads, rows);
}

function tableOf(label: string, heads: readonly string[], rows: readonly string[]): string {
  return `<div class="wide" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr>${heads.join('')}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table></div>`;
}

function headOf(title: string, isNumber = false): string {
  return `<th scope="col"${isNumber ? ' class="number"' : ''}>${escapedHtml(title)}</th>`;
}

function cellOf(text: string, kind?: 'number' | 'bad'): string {
  return `<td${kind ? ` class="${kind}"` : ''}>${escapedHtml(text)}</td>`;
}

function shareText(part: number, whole: number): string {
  return whole === 0 ? NONE : `${((part / whole) * 100).toFixed(1)} % of ${whole.toLocaleString('en-US')}`;
}

function secondsText(ms: number | null): string {
  return ms === null ? NONE : `${(ms / 1_000).toFixed(1)} s`;
}

function timeOf(at: Date): string {
  return at.toISOString().slice(0, 19).replace('T', ' ');
}
