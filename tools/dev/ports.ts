import { createServer } from 'node:net';
import { StartError } from './start-error.js';

/** Whether nobody listens on the port of this machine's loopback. */
export function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/** The first of the preferred ports that is free, else one that the system picks. */
export async function freePort(...preferred: number[]): Promise<number> {
  for (const port of preferred) {
    if (await isPortFree(port)) return port;
  }
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (address && typeof address === 'object') resolve(address.port);
        else reject(new Error('the system gave no port'));
      });
    });
  });
}

/** Throws StartError naming the first port that is taken and the variable that changes it. */
export async function requireFreePorts(ports: Record<string, number>): Promise<void> {
  for (const [variable, port] of Object.entries(ports)) {
    const free = (await isPortFree(port, '0.0.0.0')) && (await isPortFree(port));
    if (!free) throw new StartError(portTakenLine(variable, port));
  }
}

/** What is said of a taken port. */
export function portTakenLine(variable: string, port: number): string {
  return `Port ${port} is taken by another program: stop that one, or choose another port with ${variable}=${port + 100} npm start.`;
}
