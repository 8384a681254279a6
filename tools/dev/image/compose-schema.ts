const text = { type: 'string', minLength: 1 } as const;
const texts = { type: 'array', items: text, minItems: 1 } as const;
const duration = { type: 'string', pattern: String.raw`^(\d+(us|ms|s|m|h))+$` } as const;
const bytes = { type: 'string', pattern: String.raw`^\d+(b|k|m|g|kb|mb|gb)$` } as const;
const cpus = { type: 'string', pattern: String.raw`^\d+(\.\d+)?$` } as const;

/** An object of these keys and no others. */
const only = <T extends object>(properties: T, required: (keyof T)[] = []) =>
  ({ type: 'object', properties, required, additionalProperties: false }) as const;
/** An object whose keys are names that we give. */
const named = <T extends object>(value: T) => ({
  type: 'object',
  patternProperties: { '^[a-zA-Z0-9._-]+$': value },
  additionalProperties: false,
});

// A variable stands where a part of it would: `${NAME:-3000}`.
const portPart = String.raw`(\d+(-\d+)?|\$\{[A-Z_]+:-\d+(-\d+)?\})`;
const port = { type: 'string', pattern: String.raw`^(\d+\.\d+\.\d+\.\d+:)?(${portPart}:)?\d+(-\d+)?(/(tcp|udp))?$` };
const resources = only({ cpus, memory: bytes });

const healthcheck = only({
  test: { type: 'array', items: { type: 'string' }, minItems: 2, contains: { enum: ['CMD', 'CMD-SHELL'] } },
  interval: duration,
  timeout: duration,
  start_period: duration,
  retries: { type: 'integer', minimum: 1 },
  disable: { type: 'boolean' },
});

const service = {
  ...only({
    image: text,
    build: only({ context: text, target: text, dockerfile: text }, ['context']),
    command: { type: 'array', items: { type: 'string' }, minItems: 1 },
    cap_add: texts,
    cap_drop: texts,
    container_name: text,
    depends_on: named(
      only(
        {
          condition: { enum: ['service_started', 'service_healthy', 'service_completed_successfully'] },
          required: { type: 'boolean' },
          restart: { type: 'boolean' },
        },
        ['condition'],
      ),
    ),
    deploy: only({ resources: only({ limits: resources, reservations: resources }) }),
    env_file: texts,
    environment: named({ type: ['string', 'number', 'null'] }),
    healthcheck,
    init: { type: 'boolean' },
    logging: only({ driver: text, options: named({ type: ['string', 'number'] }) }),
    networks: { oneOf: [texts, named(only({ aliases: texts }))] },
    ports: { type: 'array', items: port, minItems: 1 },
    profiles: texts,
    read_only: { type: 'boolean' },
    restart: { enum: ['no', 'always', 'on-failure', 'unless-stopped'] },
    security_opt: texts,
    shm_size: bytes,
    stop_grace_period: duration,
    stop_signal: { type: 'string', pattern: '^SIG[A-Z]+$' },
    tmpfs: texts,
    user: text,
    volumes: texts,
  }),
  anyOf: [{ required: ['image'] }, { required: ['build'] }],
};

/**
 * The part of the Compose specification that our file uses, and nothing beside it
 * (https://github.com/compose-spec/compose-spec/blob/main/spec.md): a key that is not here is a slip of the pen or has to be added.
 */
export const composeSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]*$' },
    services: named(service),
    networks: named(only({ internal: { type: 'boolean' } })),
    volumes: named(only({})),
  },
  // Fragments that the services share.
  patternProperties: { '^x-': {} },
  required: ['services'],
  additionalProperties: false,
};
