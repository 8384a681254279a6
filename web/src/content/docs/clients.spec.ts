import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLIENT_VERSION, clients } from './clients.js';

const root = join(__dirname, '../../../..');

describe('the page of the clients', () => {
  it('has their version', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'sdk/typescript/package.json'), 'utf8')) as {
      version: string;
    };
    expect(CLIENT_VERSION).toBe(version);
  });

  it('names files that the site serves', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pennytext-clients-'));
    try {
      execFileSync(process.execPath, [join(root, 'tools/clients/pack.mjs'), folder]);
      const named = [...JSON.stringify(clients).matchAll(/\/clients\/([\w.-]+)/g)].map(([, name]) => name ?? '');
      expect(new Set(named).size).toBe(5);
      expect(named.filter((name) => !existsSync(join(folder, name)))).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
