import { settingsOf } from './settings.js';

describe('settingsOf', () => {
  it('knows the usual ports', () => {
    expect(settingsOf({})).toMatchObject({ port: 3000, workerPort: 3001, sandboxPort: 4000, hasTwilio: false });
  });

  it('takes an empty variable for one that is not set', () => {
    expect(settingsOf({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 3000, databaseUrl: undefined });
  });

  it.each(['abc', '0', '65536', '30.5', '-1'])('refuses the port %s, naming the variable', (port) => {
    expect(() => settingsOf({ WORKER_PORT: port })).toThrow(
      `WORKER_PORT must be a port from 1 to 65535, but is "${port}".`,
    );
  });

  it('refuses one port for two programs', () => {
    expect(() => settingsOf({ PORT: '3001' })).toThrow('must differ');
  });

  it('refuses an address that is no URL, and shows what one looks like', () => {
    expect(() => settingsOf({ DATABASE_URL: 'localhost' })).toThrow('it should look like postgres://');
  });
});
