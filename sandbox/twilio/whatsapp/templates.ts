/** A template of a WhatsApp message, as WhatsApp approves it. */
interface Template {
  /** Text with places for variables: `{{1}}`. */
  readonly body: string;
  /** Names of the variables that the text needs. */
  readonly variables: readonly string[];
}

/**
 * WhatsApp's authentication template in English, whose text WhatsApp prescribes. Any well-formed
 * ContentSid stands for it.
 */
export const AUTHENTICATION_TEMPLATE: Template = {
  body: '*{{1}}* is your verification code. For your security, do not share this code.',
  variables: ['1'],
};

/** Renders a template; returns null when a variable is missing. */
export function render(template: Template, values: Readonly<Record<string, string>>): string | null {
  if (template.variables.some((name) => values[name] === undefined)) return null;
  return template.body.replace(/\{\{(\w+)\}\}/g, (_place, name: string) => values[name] ?? '');
}
