import { type CallLanguage, callLanguageDefault, callLanguages } from '#contract/otp-channels.js';
import type { OtpText } from './otp.js';

/** The sentences of a call. */
interface Sentences {
  readonly caller: (org: string) => string;
  readonly first: (code: string) => string;
  readonly again: (code: string) => string;
  readonly end: string;
}

const english: Sentences = {
  caller: (org) => `Hello. This is a call from ${org}.`,
  first: (code) => `Your verification code is: ${code}.`,
  again: (code) => `Once more, your code is: ${code}.`,
  end: 'Goodbye.',
};
const french: Sentences = {
  caller: (org) => `Bonjour. Ceci est un appel de ${org}.`,
  first: (code) => `Votre code de vérification est : ${code}.`,
  again: (code) => `Je répète, votre code est : ${code}.`,
  end: 'Au revoir.',
};
const spanish: Sentences = {
  caller: (org) => `Hola. Esta es una llamada de ${org}.`,
  first: (code) => `Su código de verificación es: ${code}.`,
  again: (code) => `Repito, su código es: ${code}.`,
  end: 'Adiós.',
};

const sentences: Readonly<Record<CallLanguage, Sentences>> = {
  'da-DK': {
    caller: (org) => `Hej. Dette er et opkald fra ${org}.`,
    first: (code) => `Din bekræftelseskode er: ${code}.`,
    again: (code) => `Én gang til, din kode er: ${code}.`,
    end: 'Farvel.',
  },
  'nl-NL': {
    caller: (org) => `Hallo. Dit is een oproep van ${org}.`,
    first: (code) => `Uw verificatiecode is: ${code}.`,
    again: (code) => `Nogmaals, uw code is: ${code}.`,
    end: 'Tot ziens.',
  },
  'en-GB': english,
  'en-US': english,
  'fi-FI': {
    caller: (org) => `Hei. Soittaja on ${org}.`,
    first: (code) => `Vahvistuskoodisi on: ${code}.`,
    again: (code) => `Toistan, koodisi on: ${code}.`,
    end: 'Näkemiin.',
  },
  'fr-CA': french,
  'fr-FR': french,
  'de-DE': {
    caller: (org) => `Guten Tag. Dies ist ein Anruf von ${org}.`,
    first: (code) => `Ihr Bestätigungscode lautet: ${code}.`,
    again: (code) => `Noch einmal, Ihr Code lautet: ${code}.`,
    end: 'Auf Wiederhören.',
  },
  'it-IT': {
    caller: (org) => `Buongiorno. Questa è una chiamata da ${org}.`,
    first: (code) => `Il suo codice di verifica è: ${code}.`,
    again: (code) => `Ripeto, il suo codice è: ${code}.`,
    end: 'Arrivederci.',
  },
  'nb-NO': {
    caller: (org) => `Hei. Dette er en samtale fra ${org}.`,
    first: (code) => `Bekreftelseskoden din er: ${code}.`,
    again: (code) => `En gang til, koden din er: ${code}.`,
    end: 'Ha det.',
  },
  'pl-PL': {
    caller: (org) => `Dzień dobry. Dzwoni ${org}.`,
    first: (code) => `Twój kod weryfikacyjny to: ${code}.`,
    again: (code) => `Powtarzam, twój kod to: ${code}.`,
    end: 'Do widzenia.',
  },
  'pt-BR': {
    caller: (org) => `Olá. Esta é uma ligação de ${org}.`,
    first: (code) => `Seu código de verificação é: ${code}.`,
    again: (code) => `Repetindo, seu código é: ${code}.`,
    end: 'Até logo.',
  },
  'pt-PT': {
    caller: (org) => `Olá. Esta é uma chamada de ${org}.`,
    first: (code) => `O seu código de verificação é: ${code}.`,
    again: (code) => `Repito, o seu código é: ${code}.`,
    end: 'Adeus.',
  },
  'es-MX': spanish,
  'es-ES': spanish,
  'sv-SE': {
    caller: (org) => `Hej. Det här är ett samtal från ${org}.`,
    first: (code) => `Din verifieringskod är: ${code}.`,
    again: (code) => `En gång till, din kod är: ${code}.`,
    end: 'Hej då.',
  },
};

const TAG = /^([a-z]{2}-[A-Z]{2}) /;

/**
 * Returns the text of a call: the characters of the code one after the other, twice. It begins with the tag of its
 * language and a space, unless the language is the default.
 */
export function spokenText({ code, org }: OtpText, language: CallLanguage = callLanguageDefault): string {
  const { caller, first, again, end } = sentences[language];
  const spelled = [...code].join(', ');
  const tag = language === callLanguageDefault ? [] : [language];
  return [...tag, ...(org === undefined ? [] : [caller(org)]), first(spelled), again(spelled), end].join(' ');
}

/** Returns the language of a call's text, and its words without the language's tag. */
export function spokenParts(text: string): { readonly language: CallLanguage; readonly words: string } {
  const language = callLanguages.find((known) => known === TAG.exec(text)?.[1]);
  if (language === undefined) return { language: callLanguageDefault, words: text };
  return { language, words: text.slice(language.length + 1) };
}
