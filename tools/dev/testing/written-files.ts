import { readdirSync } from 'node:fs';

/** Folders and files that are not edited: released migrations, and results of programs. */
const passedOver =
  /(^|\/)(\.git|\.data|node_modules|dist|results|migrations|\.tmp[^/]*)(\/|$)|\.generated\.|^docs\/configuration\.md$/;
const texts = /(\.(ts|tsx|mjs|cjs|js|css|sh|yml|md)|Dockerfile|\.env\.example|sandbox\.env)$/;

/** Paths of all files of the project with text that people write, from the current directory, which is its root. */
export function writtenFiles(folder = ''): string[] {
  return readdirSync(folder || '.', { withFileTypes: true }).flatMap((entry) => {
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (passedOver.test(path)) return [];
    if (entry.isDirectory()) return writtenFiles(path);
    return entry.isFile() && texts.test(path) ? [path] : [];
  });
}
