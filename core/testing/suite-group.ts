// The suites of one folder, named by jest.groups.config.js.
declare const suiteFiles: readonly string[];

for (const file of suiteFiles) {
  describe(file.slice(process.cwd().length + 1), () => {
    require(file);
  });
}
