import { publicPaths } from '../src/page-paths.js';
import { site } from '../src/site.js';

/** The public pages for search engines: https://www.sitemaps.org/protocol.html */
export function sitemap(): string {
  const urls = publicPaths.map((path) => `  <url><loc>${site.url}${path}</loc></url>\n`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls}</urlset>
`;
}
