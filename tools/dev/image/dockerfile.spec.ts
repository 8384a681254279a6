import { parseDockerfile } from './dockerfile.js';

const text = `# A comment
ARG NODE_VERSION=20.1.2
FROM node:\${NODE_VERSION}-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci \\
  --omit=dev
FROM build AS runtime
ENV NODE_ENV=production
COPY --from=build /app/dist ./dist
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s CMD ["node", "-e", "1"]
CMD ["node", "main.js"]
`;

describe('parseDockerfile', () => {
  it('reads stages, what they do, and what is started from the last one', () => {
    const [build, runtime] = parseDockerfile(text).stages;
    expect(build).toMatchObject({ name: 'build', base: 'node:20.1.2-slim' });
    expect(build?.steps).toEqual([
      { kind: 'workdir', path: '/app' },
      { kind: 'copy', from: undefined, sources: ['package.json', 'package-lock.json'], target: './' },
      { kind: 'run', command: 'npm ci    --omit=dev' },
    ]);
    expect(runtime).toMatchObject({
      name: 'runtime',
      base: 'build',
      user: 'node',
      stopSignal: 'SIGTERM',
      healthCommand: ['node', '-e', '1'],
      command: ['node', 'main.js'],
    });
    expect(runtime?.steps).toEqual([
      { kind: 'env', name: 'NODE_ENV', value: 'production' },
      { kind: 'copy', from: 'build', sources: ['/app/dist'], target: './dist' },
    ]);
  });

  it.each([
    ['an instruction that it cannot perform', 'FROM a AS b\nADD x y', 'ADD'],
    ['an instruction before the first stage', 'WORKDIR /app', 'before its first FROM'],
    ['a stage without a name', 'FROM node:20', 'AS a name'],
    ['a variable without a value', `FROM node:\${V} AS b`, 'has no value'],
    ['an option of COPY', 'FROM a AS b\nCOPY --chown=1 x y', '--from and paths alone'],
    ['a command that is no list', 'FROM a AS b\nCMD {}', 'JSON list'],
  ])('refuses %s', (_what, wrong, words) => {
    expect(() => parseDockerfile(wrong)).toThrow(words);
  });
});
