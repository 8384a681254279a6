import { isReached, type Figure, type Goal, type Ratio } from './figure.js';

/** Lines of columns that stand under each other; columns named in `right` end at the same place. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], right: readonly number[]): string {
  const widths = head.map((title, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? title).length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        right.includes(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width)).join('  ');
  return [line(head), rule, ...rows.map(line)].join('\n');
}

export function figureTable(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.part,
    figure.name,
    `${number(figure.value)} ${unitTexts[figure.unit]}`,
    figure.p50Ms === undefined ? '' : number(figure.p50Ms),
    figure.p99Ms === undefined ? '' : number(figure.p99Ms),
    goalText(figure),
    figure.note ?? '',
  ]);
  return table(['part', 'what', 'figure', 'p50 ms', 'p99 ms', 'goal', 'note'], rows, [2, 3, 4]);
}

export function ratioTable(ratios: readonly Ratio[]): string {
  const rows = ratios.map((ratio) => [ratio.name, `${ratio.value.toFixed(2)} ×`, goalText(ratio)]);
  return table(['ratio', 'value', 'goal'], rows, [1]);
}

const unitTexts = { 'per second': '/s', ms: 'ms', MB: 'MB', kB: 'kB', bytes: 'bytes', points: 'of 100' };

function number(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) < 10 ? 1 : 0 });
}

function goalText(of: { value: number; p99Ms?: number; goal?: Goal }): string {
  const { goal } = of;
  if (!goal) return '';
  const bounds = [
    goal.atLeast === undefined ? [] : `≥ ${number(goal.atLeast)}`,
    goal.below === undefined ? [] : `< ${number(goal.below)}`,
    goal.p99BelowMs === undefined ? [] : `p99 < ${number(goal.p99BelowMs)}`,
  ].flat();
  return `${isReached(of) ? '✓' : '✗'} ${bounds.join(', ')}`;
}
