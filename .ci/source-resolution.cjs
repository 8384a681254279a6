// package.json's `imports` lead to dist/, as Node needs it; the import rules are about the sources.
const { join } = require('node:path');

const root = join(__dirname, '..');

module.exports = {
  resolve: {
    alias: { '#core': join(root, 'core/src'), '#contract': join(root, 'contract/src') },
    extensionAlias: { '.js': ['.ts', '.tsx', '.js'] },
    extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
    conditionNames: ['import', 'require', 'node', 'default', 'types'],
    exportsFields: ['exports'],
    mainFields: ['module', 'main', 'types', 'typings'],
  },
};
