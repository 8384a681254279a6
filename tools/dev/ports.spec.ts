import { createServer, type Server } from 'node:net';
import { freePort, isPortFree, portTakenLine, requireFreePorts } from './ports.js';

describe('ports', () => {
  let server: Server;
  let taken: number;

  beforeEach(async () => {
    taken = await freePort();
    server = createServer();
    await new Promise<void>((resolve) => server.listen(taken, '127.0.0.1', resolve));
  });

  afterEach(() => new Promise((resolve) => server.close(resolve)));

  it('sees that a port is taken', async () => {
    expect(await isPortFree(taken)).toBe(false);
  });

  it('passes over a preferred port that is taken', async () => {
    const other = await freePort();
    expect(await freePort(taken, other)).toBe(other);
  });

  it('names the port that is taken and the variable that changes it', async () => {
    await expect(requireFreePorts({ WORKER_PORT: taken })).rejects.toThrow(portTakenLine('WORKER_PORT', taken));
  });

  it('says all of it in one line', () => {
    expect(portTakenLine('PORT', 3000)).toBe(
      'Port 3000 is taken by another program: stop that one, or choose another port with PORT=3100 npm start.',
    );
  });
});
