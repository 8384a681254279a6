import { describeConformance, whereTool } from '../conformance/testing/language-suite.js';

const wherePython = whereTool('python3');
const STRICT = ['-W', 'error', '-X', 'dev'];

describeConformance(wherePython, 'Python', () => ({
  command: 'python3',
  args: [...STRICT, 'tests/conformance.py'],
  cwd: __dirname,
}));
