import { createServer, type Server } from 'node:net';
import { once } from 'node:events';

/** Ports of loopback that nobody listens on. All are held until the last is known, so they differ. */
export async function freePorts(count: number): Promise<number[]> {
  const probes = await Promise.all(Array.from({ length: count }, hold));
  const ports = probes.map((probe) => {
    const address = probe.address();
    if (address === null || typeof address === 'string') throw new Error('A TCP server has a port');
    return address.port;
  });
  await Promise.all(probes.map((probe) => new Promise((resolve) => probe.close(resolve))));
  return ports;
}

async function hold(): Promise<Server> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  return probe;
}
