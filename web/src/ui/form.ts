import { type SubmitEvent, useEffect, useRef, useState } from 'react';

/** Errors of a form's fields, by name; absent for valid fields. */
export type Faults<Name extends string> = { readonly [Field in Name]?: string | undefined };

/** Result of reading a submitted form: a body to send, or the faults. */
export type Found<Body, Name extends string> = { readonly body: Body } | { readonly faults: Faults<Name> };

interface FormParts<Body, Name extends string, Answer> {
  readonly read: (form: FormData) => Found<Body, Name>;
  readonly send: (body: Body) => Answer | Promise<Answer>;
  /** Places a failure of `send` beside fields; by default beside no field. */
  readonly placed?: (error: unknown) => Faults<Name>;
}

interface Stage<Name extends string, Answer> {
  readonly kind: 'open' | 'sending' | 'sent';
  readonly faults: Faults<Name>;
  /** Null while nothing has failed. */
  readonly failure: unknown;
  readonly answer?: Answer;
}

/**
 * A form that is checked and sent when it is submitted, and not again before the answer. Inputs are
 * uncontrolled where nothing follows the typing: they keep text that is typed before hydration, and
 * while new answers arrive. After a refusal the first invalid field has the focus, or the notice is
 * in sight.
 */
export function useForm<Body, Name extends string, Answer>({ read, send, placed }: FormParts<Body, Name, Answer>) {
  const [stage, setStage] = useState<Stage<Name, Answer>>({ kind: 'open', faults: {}, failure: null });
  const refused = useRef<HTMLFormElement>(undefined);
  useEffect(() => {
    if (stage.kind !== 'open') return;
    const form = refused.current;
    refused.current = undefined;
    const wrong = [...(form?.elements ?? [])].find((field) => field.ariaInvalid === 'true');
    if (wrong instanceof HTMLElement) wrong.focus();
    else form?.querySelector('[role=alert]')?.scrollIntoView({ block: 'nearest' });
  }, [stage]);
  const submit = async (form: HTMLFormElement) => {
    if (stage.kind === 'sending') return;
    const found = read(new FormData(form));
    if ('faults' in found) {
      refused.current = form;
      setStage({ kind: 'open', faults: found.faults, failure: null });
      return;
    }
    setStage({ kind: 'sending', faults: {}, failure: null });
    try {
      setStage({ kind: 'sent', faults: {}, failure: null, answer: await send(found.body) });
    } catch (error) {
      const faults = placed?.(error) ?? {};
      refused.current = form;
      setStage({ kind: 'open', faults, failure: Object.keys(faults).length === 0 ? error : null });
    }
  };
  const { kind, faults, failure, answer } = stage;
  return {
    isSending: kind === 'sending',
    isSent: kind === 'sent',
    answer,
    faults,
    /** Reason why the form was not sent, unless a field shows the reason. */
    failure,
    /** The name and the fault of an input. */
    inputOf: <Field extends Name>(name: Field) => ({ name, fault: faults[name] }),
    /** Forgets the fault of a field, such as when it is changed. */
    forgive: (name: Name) => setStage((now) => ({ ...now, faults: { ...now.faults, [name]: undefined } })),
    onSubmit: (event: SubmitEvent<HTMLFormElement>) => {
      event.preventDefault();
      void submit(event.currentTarget);
    },
  };
}

/** A zod schema from contract. */
interface Schema<Body> {
  safeParse(
    given: unknown,
  ):
    | { readonly success: true; readonly data: Body }
    | { readonly success: false; readonly error: { readonly issues: readonly { readonly path: PropertyKey[] }[] } };
}

/**
 * Checks the values of a form by a schema. `texts` has the message for each field that can be
 * invalid; a fault without a message is a bug, and thrown.
 */
export function foundBy<Body extends object, Name extends string>(
  schema: Schema<Body>,
  given: { readonly [Field in keyof Body]: unknown },
  texts: { readonly [Field in Name]: string },
): Found<Body, Name> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return { body: parsed.data };
  const hasText = (name: PropertyKey | undefined): name is Name => name !== undefined && name in texts;
  const faults: { [Field in Name]?: string } = {};
  for (const { path } of parsed.error.issues) {
    if (!hasText(path[0])) throw new Error('a field is wrong that has no text for it', { cause: parsed.error });
    faults[path[0]] = texts[path[0]];
  }
  return { faults };
}

/** The text of a form field. */
export function formText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
