// package.json's `imports` lead to the sources under the condition `source`.
module.exports = {
  resolve: {
    extensionAlias: { '.js': ['.ts', '.tsx', '.js'] },
    extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
    conditionNames: ['source', 'import', 'require', 'node', 'default', 'types'],
    exportsFields: ['exports'],
    mainFields: ['module', 'main', 'types', 'typings'],
  },
};
