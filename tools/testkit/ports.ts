import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createConnection, createServer, type Server } from 'node:net';

/**
 * Range below the ports of outgoing connections, which start at 32,768 (Linux) or 49,152 (macOS)
 * and could take a port meanwhile.
 */
const PORT_MIN = 10_240;
const PORT_MAX = 32_000;
const TRIES_MAX = 100;

/** Whether no program listens on the port. */
export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  try {
    (await listen(port, host)).close();
    return true;
  } catch {
    // EADDRINUSE, or EACCES for a port that only root may open: either way it cannot be used.
    return false;
  }
}

/**
 * Free ports of loopback, at random so that programs that look at the same time find others. All
 * ports are held until the last port is known.
 */
export async function freePorts(count: number): Promise<number[]> {
  const probes = await Promise.all(Array.from({ length: count }, () => listenAnywhere()));
  const ports = probes.map(portOf);
  await Promise.all(probes.map((probe) => new Promise((resolve) => probe.close(resolve))));
  return ports;
}

/** The first of the preferred ports that is free, else any free port. */
export async function freePort(...preferred: number[]): Promise<number> {
  for (const port of preferred) if (await isPortFree(port)) return port;
  const [port = 0] = await freePorts(1);
  return port;
}

/** Occupies a port until it is released. */
export async function takePort(): Promise<{ port: number; release: () => Promise<void> }> {
  const server = await listen(0);
  return {
    port: portOf(server),
    release: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

/** Whether a program accepts connections on the port. */
export function isListening(port: number, host = '127.0.0.1'): Promise<boolean> {
  return talk({ host, port });
}

/** Connects, writes `request` and returns whether the answer starts with `expected`. */
export function talk(address: { host: string; port: number }, request?: string, expected = ''): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ ...address, timeout: 2_000 });
    const answer = (isGood: boolean) => {
      socket.destroy();
      resolve(isGood);
    };
    socket.once('connect', () => (request === undefined ? answer(true) : socket.write(request)));
    socket.once('data', (data) => answer(data.toString().startsWith(expected)));
    socket.once('timeout', () => answer(false));
    socket.once('error', () => answer(false));
  });
}

async function listenAnywhere(): Promise<Server> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await listen(randomInt(PORT_MIN, PORT_MAX));
    } catch (error) {
      if (tries === TRIES_MAX) throw error;
    }
  }
}

async function listen(port: number, host = '127.0.0.1'): Promise<Server> {
  const server = createServer().listen({ port, host, exclusive: true });
  await once(server, 'listening');
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port');
  return address.port;
}
