import { openApiDocument } from '#contract/openapi/openapi.js';
import { apiCallPath } from '../../paths.js';
import { site } from '../../site.js';
import type { Block, Page, Snippet } from '../page.js';
import { apiCalls } from './api-reference.server.js';

const calls = Object.entries(openApiDocument(site.url).paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

describe('the page of a call', () => {
  it.each(calls)('sends $method $path with its method and a key', ({ method, operation }) => {
    const { security } = operation;
    const [curl = ''] = requestsOf(pageOf(operation.operationId));
    const given = / -X (\w+) /.exec(curl)?.[1];
    expect(given ?? (curl.includes(' -d ') ? 'POST' : 'GET')).toBe(method);
    const needsKey = security.some((way) => Object.keys(way).length > 0);
    expect(curl.includes('YOUR_API_KEY')).toBe(needsKey);
  });

  it.each(calls)('shows each answer of $method $path that is no error', ({ operation: { operationId, responses } }) => {
    const { sections } = pageOf(operationId);
    const statuses = Object.keys(responses).filter((status) => status.startsWith('2'));
    const titles = answersOf(sectionOf(sections, 'Example')).map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
    for (const status of statuses)
      expect(titles.filter((title) => title.startsWith(`Response, HTTP ${status}`))).not.toEqual([]);
    const failures = sectionOf(sections, 'Errors').flatMap(rowsOf);
    expect(failures.filter(([status = '']) => statuses.includes(status))).toEqual([]);
  });

  it.each(['buyNumber', 'putPool'])('lists the fields of the answer of %s, which is HTTP 201', (operationId) => {
    const rows = sectionOf(pageOf(operationId).sections, 'Response').flatMap(rowsOf);
    expect(rows.map(([first]) => first)).toEqual(
      expect.arrayContaining(['201', operationId === 'buyNumber' ? '`number_id`' : '`pool_id`']),
    );
  });

  it.each([
    ['Request', ['`to`', '`message`', '`messages`', '`recipients`']],
    ['Response', ['`segments`', '`credits`', '`messages`', '`quote`']],
  ])('lists each field of either body once in the %s of a price', (title, names) => {
    const fields = sectionOf(pageOf('quote').sections, title)
      .flatMap(rowsOf)
      .map(([first]) => first);
    expect(fields).toEqual(expect.arrayContaining(names));
    expect(new Set(fields).size).toBe(fields.length);
  });

  it('lists what each success means where there are several', () => {
    const [meanings] = sectionOf(pageOf('buyNumber').sections, 'Response').map(rowsOf);
    expect(meanings?.map(([status]) => status)).toEqual(['201', '202']);
  });
});

function pageOf(operationId: string): Page {
  const page = apiCalls.find(({ path }) => path === apiCallPath(operationId));
  if (!page) throw new Error(`${operationId} has no page.`);
  return page;
}

function sectionOf(sections: Page['sections'], title: string): readonly Block[] {
  return sections.find((section) => section.title === title)?.blocks ?? [];
}

function requestsOf({ sections }: Page): string[] {
  return sectionOf(sections, 'Example').flatMap((block) =>
    typeof block !== 'string' && block.kind === 'exchange' && block.request.kind === 'code' ? [block.request.code] : [],
  );
}

function answersOf(blocks: readonly Block[]): Snippet[] {
  return blocks.flatMap((block) => (typeof block !== 'string' && block.kind === 'exchange' ? [...block.answers] : []));
}

function rowsOf(block: Block): (readonly string[])[] {
  return typeof block !== 'string' && block.kind === 'table' ? [...block.rows] : [];
}
