import { readFileSync } from 'node:fs';
import { join } from 'node:path';

describe('the routes', () => {
  it('name for each page the file that it is loaded from', () => {
    const routes = readFileSync(join(__dirname, 'routes.tsx'), 'utf8');
    const pages = Array.from(routes.matchAll(/page\(\s*'([^']+)',\s*\(\) => import\('\.\/([^']+)\.js'\)/g));
    expect(pages.length).toBeGreaterThan(20);
    for (const [, named, loaded] of pages) expect(named).toBe(loaded);
  });
});
