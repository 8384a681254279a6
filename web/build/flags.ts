import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';
import { regions } from '../../contract/regions.js';

const NAME = 'virtual:flags';

/** `import url from 'virtual:flags'`: one SVG sprite with a symbol per region, named by its ISO code. */
export function flags(): Plugin {
  const sprite = flagSprite();
  const fileName = `assets/flags-${createHash('sha256').update(sprite).digest('hex').slice(0, 8)}.svg`;
  return {
    name: 'flags',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load(id) {
      if (id !== `\0${NAME}`) return undefined;
      if (!this.meta.watchMode) this.emitFile({ type: 'asset', fileName, source: sprite });
      return `export default '/${fileName}'`;
    },
    configureServer({ middlewares }) {
      middlewares.use(`/${fileName}`, (_request, response) => {
        response.setHeader('Content-Type', 'image/svg+xml').end(sprite);
      });
    },
  };
}

/** The sprite, from the 3:2 flags of country-flag-icons. */
export function flagSprite(): string {
  const folder = join(dirname(createRequire(import.meta.url).resolve('country-flag-icons/package.json')), '3x2');
  const symbols = regions.map(({ iso2 }) =>
    readFileSync(join(folder, `${iso2}.svg`), 'utf8')
      .trim()
      .replace(/^<svg xmlns="[^"]+"/, `<symbol id="${iso2}"`)
      .replace(/<\/svg>$/, '</symbol>'),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>\n`;
}
