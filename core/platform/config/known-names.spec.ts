import { readFileSync } from 'node:fs';
import { testVariables } from '../../testing/test-config.js';
import { parseProgramEnv } from './env.js';
import { environmentVariables, secretVariables } from './env-schema.js';
import { composeVariables, misspelledNames, unknownNames } from './known-names.js';

const root = `${__dirname}/../../..`;

/** Variables of other programs, of Compose, and of the machine. */
const foreign = {
  POSTGRES_PASSWORD: '4b1d',
  POSTGRES_PASSWORD_FILE: '/run/secrets/postgres',
  ENV_FILE: '.env',
  SERVER_PORTS: '3000-3003',
  PENNYTEXT_VERSION: '1',
  GRAFANA_PASSWORD: 'x',
  HEALTH_URL: 'http://127.0.0.1:3000/readyz',
  SANDBOX_PORT: '4000',
  HOSTNAME: 'sms-1',
  HOST_FILE: 'x',
  port: '1',
  NODE_ENV: 'production',
  REDIS_PORT: 'tcp://10.0.0.1:6379',
  DATABASE_HOST: 'postgres',
  STRIPE_API_KEY: 'x',
  TWILIO_API_KEY: 'x',
  SMTP_USER: 'x',
  OTEL_EXPORTER_OTLP_HEADERS: 'x',
  OTEL_TRACES_SAMPLER: 'always_on',
  CREDENTIALS_DIRECTORY: '/run/credentials/pennytext',
  npm_config_port: '1',
};

describe('a misspelled name', () => {
  it.each([
    ['WORKER_CONCURENCY', 'WORKER_CONCURRENCY'],
    ['worker_concurrency', 'WORKER_CONCURRENCY'],
    ['WORKER-CONCURRENCY', 'WORKER_CONCURRENCY'],
    ['WorkerConcurrency', 'WORKER_CONCURRENCY'],
    ['SMTPURL', 'SMTP_URL'],
    ['TWILIO_SENDER', 'TWILIO_SENDERS'],
    ['SMTP_URI', 'SMTP_URL'],
    ['STRIPE_PRICE_ENTREPRISE', 'STRIPE_PRICE_ENTERPRISE'],
    ['METRICS_TOKEN_FIEL', 'METRICS_TOKEN_FILE'],
    ['DATABASE_URL_FLE', 'DATABASE_URL_FILE'],
  ])('%s is refused, at a local address too', (name, meant) => {
    const local = { ...testVariables, PUBLIC_URL: 'http://localhost:3000' };
    expect(() => parseProgramEnv({ ...local, [name]: 'x' })).toThrow(`${name} is no setting: it is called ${meant}`);
    expect(parseProgramEnv({ ...local, [name]: '' })).toMatchObject({ QUEUE_PREFIX: 'test' });
  });

  it('stands beside the setting that is missing for it', () => {
    const { DATABASE_URL: url = '', ...others } = testVariables;
    expect(() => parseProgramEnv({ ...others, DATABSE_URL: url })).toThrow(
      /DATABSE_URL is no setting: it is called DATABASE_URL; DATABASE_URL is not set/,
    );
  });

  it('is never one of another program, nor of ours', () => {
    expect(misspelledNames(Object.keys(foreign))).toEqual([]);
    expect(misspelledNames([...environmentVariables, ...secretVariables.map((name) => `${name}_FILE`)])).toEqual([]);
  });
});

describe('the names in .env', () => {
  it('are known when one of our programs, Docker Compose or the sandbox reads them', () => {
    const names = ['PORT', 'METRICS_TOKEN_FILE', 'POSTGRES_PASSWORD', 'SANDBOX_PORT', 'NODE_OPTIONS', 'TZ'];
    expect(unknownNames([...names, 'CARRIER', 'PORT_FILE'])).toEqual(['CARRIER', 'PORT_FILE']);
  });

  it('of Docker Compose are those that docker-compose.yml substitutes', () => {
    const read = new Set(
      [...readFileSync(`${root}/docker-compose.yml`, 'utf8').matchAll(/\$\{([A-Z0-9_]+)/g)].map(
        ([, name = '']) => name,
      ),
    );
    const own = [...environmentVariables, ...secretVariables.map((name) => `${name}_FILE`)];
    expect([...read].filter((name) => !own.includes(name)).toSorted()).toEqual(composeVariables.toSorted());
  });
});
