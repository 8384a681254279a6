import { StartError } from '../start-error.js';

/** One instruction that does something when the image is built. */
export type Step =
  | { readonly kind: 'workdir'; readonly path: string }
  | { readonly kind: 'env'; readonly name: string; readonly value: string }
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'copy'; readonly from: string | undefined; readonly sources: string[]; readonly target: string };

/** A stage, and what it says of the container that is started from it. */
export interface Stage {
  readonly name: string;
  /** An earlier stage, or an image of somebody else's. */
  readonly base: string;
  readonly steps: Step[];
  user: string | undefined;
  command: string[] | undefined;
  healthCommand: string[] | undefined;
  stopSignal: string | undefined;
}

/** What a Dockerfile says. */
export interface Dockerfile {
  readonly stages: Stage[];
}

/**
 * Reads the part of the Dockerfile format that ours uses (https://docs.docker.com/reference/dockerfile/): no ADD, no
 * ENTRYPOINT, no here-documents, CMD and HEALTHCHECK as JSON. Throws StartError for anything else, so that nothing is passed over.
 */
export function parseDockerfile(text: string): Dockerfile {
  const stages: Stage[] = [];
  const args = new Map<string, string>();
  for (const { instruction, rest } of instructionsOf(text)) {
    if (instruction === 'ARG') {
      const { name, value } = assignment(rest);
      args.set(name, value);
    } else if (instruction === 'FROM') {
      stages.push(stageOf(withArgs(rest, args)));
    } else {
      const stage = stages.at(-1);
      if (!stage) throw new StartError(`The Dockerfile has ${instruction} before its first FROM.`);
      addTo(stage, instruction, rest);
    }
  }
  return { stages };
}

function addTo(stage: Stage, instruction: string, rest: string): void {
  switch (instruction) {
    case 'WORKDIR':
      stage.steps.push({ kind: 'workdir', path: rest });
      return;
    case 'ENV':
      stage.steps.push({ kind: 'env', ...assignment(rest) });
      return;
    case 'RUN':
      stage.steps.push({ kind: 'run', command: rest });
      return;
    case 'COPY':
      stage.steps.push(copyOf(rest));
      return;
    case 'USER':
      stage.user = rest;
      return;
    case 'CMD':
      stage.command = words(rest);
      return;
    case 'HEALTHCHECK':
      stage.healthCommand = words(rest.replace(/^.*?\bCMD\b/, ''));
      return;
    case 'STOPSIGNAL':
      stage.stopSignal = rest;
      return;
    case 'EXPOSE':
      return;
    default:
      throw new StartError(`The Dockerfile has ${instruction}, which the check cannot perform.`);
  }
}

function instructionsOf(text: string): { instruction: string; rest: string }[] {
  return text
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [, instruction = '', rest = ''] = /^(\S+)\s*(.*)$/.exec(line) ?? [];
      return { instruction: instruction.toUpperCase(), rest };
    });
}

function stageOf(rest: string): Stage {
  const [, base, name] = /^(\S+)\s+AS\s+(\S+)$/i.exec(rest) ?? [];
  if (!base || !name) throw new StartError(`FROM ${rest}: every stage is FROM … AS a name.`);
  return {
    name,
    base,
    steps: [],
    user: undefined,
    command: undefined,
    healthCommand: undefined,
    stopSignal: undefined,
  };
}

function copyOf(rest: string): Step {
  const [, from, paths = ''] = /^(?:--from=(\S+)\s+)?([^-].*)$/.exec(rest) ?? [];
  const sources = paths.split(/\s+/).filter((path) => path !== '');
  const target = sources.pop();
  if (target === undefined || sources.length === 0)
    throw new StartError(`COPY ${rest}: the check knows --from and paths alone.`);
  return { kind: 'copy', from, sources, target };
}

function assignment(rest: string): { name: string; value: string } {
  const [, name, value = ''] = /^(\w+)(?:=(\S*))?$/.exec(rest) ?? [];
  if (!name) throw new StartError(`${rest}: give one name=value, without spaces.`);
  return { name, value };
}

function words(json: string): string[] {
  const parsed: unknown = JSON.parse(json);
  if (Array.isArray(parsed) && parsed.every((word) => typeof word === 'string')) return parsed;
  throw new StartError(`${json}: a command is a JSON list of words.`);
}

function withArgs(text: string, args: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\$\{(\w+)\}/g, (_whole, name: string) => {
    const value = args.get(name);
    if (!value) throw new StartError(`\${${name}} has no value in the Dockerfile.`);
    return value;
  });
}
