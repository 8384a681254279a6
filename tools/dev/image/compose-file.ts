import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { composeSchema } from './compose-schema.js';

/** A service as far as the checks look at it. */
export interface ComposeService {
  readonly image?: string;
  readonly build?: object;
  readonly command?: string[];
  readonly container_name?: string;
  readonly cap_drop?: string[];
  readonly depends_on?: Record<string, { readonly condition: string }>;
  readonly deploy?: { readonly resources?: { readonly limits?: { readonly memory?: string } } };
  readonly env_file?: string[];
  readonly healthcheck?: object;
  readonly networks?: string[] | Record<string, object>;
  readonly ports?: string[];
  readonly profiles?: string[];
  readonly read_only?: boolean;
  readonly restart?: string;
  readonly security_opt?: string[];
  readonly stop_grace_period?: string;
  readonly volumes?: string[];
}

/** What a Compose file says, its fragments put in place. */
export interface ComposeFile {
  readonly services: Record<string, ComposeService>;
  readonly networks?: Record<string, object | null>;
  readonly volumes?: Record<string, object | null>;
}

const isOfItsForm = new Ajv({ allErrors: true, allowUnionTypes: true, strictTypes: false }).compile(composeSchema);

export function readCompose(text: string): ComposeFile {
  return parse(text, { merge: true }) as ComposeFile;
}

/** What is wrong with a Compose file, a line for each fault: its form, and names that lead nowhere. */
export function composeFaults(text: string): string[] {
  let file: ComposeFile;
  try {
    file = readCompose(text);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
  if (!isOfItsForm(file)) {
    return (isOfItsForm.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }
  return Object.entries(file.services).flatMap(([name, service]) => danglingNames(name, service, file));
}

function danglingNames(name: string, service: ComposeService, file: ComposeFile): string[] {
  const networks = Array.isArray(service.networks) ? service.networks : Object.keys(service.networks ?? {});
  const volumes = (service.volumes ?? []).map((volume) => volume.split(':')[0] ?? '').filter((one) => /^\w/.test(one));
  return [
    ...Object.keys(service.depends_on ?? {}).filter((one) => !file.services[one]),
    ...networks.filter((one) => file.networks?.[one] === undefined),
    ...volumes.filter((one) => file.volumes?.[one] === undefined),
  ].map((one) => `/services/${name} names ${one}, which is not there`);
}
