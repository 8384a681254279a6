import { publicPaths } from '../../../build/pages.js';
import { docsMenu, docsPages } from './menu.js';

describe('docsMenu', () => {
  it('starts with the entries of the product specification in order', () => {
    const items = docsMenu[0]?.items;
    expect(items?.map(({ title }) => title)).toEqual([
      'Overview',
      'Send an SMS using HTTP POST',
      'Send an SMS',
      'Response Received',
      'Testing the API',
      'Receiving SMS Replies',
      'Supported Regions',
    ]);
    expect(items?.[2]?.items?.map(({ title }) => title)).toEqual([
      'Curl',
      'Python',
      'PHP',
      'Ruby',
      'NodeJs',
      'Javascript',
      'C#',
      'Java',
    ]);
  });

  it('links every documentation page', () => {
    const items = docsMenu.flatMap((group) => group.items);
    const entries = items.flatMap((entry) => [entry, ...(entry.items ?? [])]).map(({ path }) => path);
    for (const { path } of docsPages) expect(entries).toContain(path);
  });

  it('has a page for every documentation path', () => {
    const addresses = publicPaths.filter((path) => path.startsWith('/docs'));
    expect(docsPages.map(({ path }) => path)).toEqual(expect.arrayContaining(addresses));
  });
});
