import { paths } from '../src/paths.js';
import { pagePaths, publicPaths, sitemap } from './pages.js';

describe('the built pages', () => {
  it('contain every address of the site that the API server does not answer', () => {
    const answered: readonly string[] = [paths.openApi, paths.statusFeed, paths.googleSignIn];
    const texts: readonly string[] = [paths.llmsText, paths.docsSearch];
    const known = [...pagePaths, ...texts, ...answered];
    expect(Object.values(paths).filter((path) => !known.includes(path))).toEqual([]);
  });

  it('are each built once, and the public ones are in the sitemap', () => {
    expect(new Set(pagePaths).size).toBe(pagePaths.length);
    expect(sitemap().match(/<loc>/g)).toHaveLength(publicPaths.length);
  });
});
