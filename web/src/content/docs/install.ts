import { site } from '../../site.js';
import { code, type Section } from '../page.js';

/** The package, as this site serves it. */
const tarball = `${site.url}/pennytext.tgz`;

/** Installation of the SDK, the command line and the MCP server. */
export const install: Section = {
  title: 'Install',
  blocks: [
    code('Install', 'bash', `npm install ${tarball}`),
    'This site serves the package `pennytext` in the version that fits its API. It needs Node 20 or newer.',
  ],
};

export const globally = code('Install for every folder', 'bash', `npm install --global ${tarball}`);
