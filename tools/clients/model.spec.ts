import { clientModel, type Type } from './model.js';

const model = clientModel();
const typeOf = (name: string) => model.types.find((type) => type.name === name);
const callOf = (name: string) => model.calls.find((call) => call.name === name);

describe('the model of the clients', () => {
  it('names every type once, and every type that it uses', () => {
    const names = model.types.map(({ name }) => name);
    expect([...new Set(names)]).toEqual(names);
    const used = (type: Type): string[] => ('of' in type ? used(type.of) : type.kind === 'object' ? [type.name] : []);
    const fields = [...model.types.flatMap((type) => type.fields), ...model.calls.flatMap((call) => call.arguments)];
    const answers = model.calls.map(({ answer, list }) => list?.item ?? answer);
    const all = [...fields.flatMap(({ type }) => used(type)), ...answers, ...model.events.map(({ data }) => data)];
    expect(all.filter((name) => !names.includes(name))).toEqual([]);
  });

  it('hides the key, `success` and the cursor', () => {
    const fields = [...model.types.flatMap((type) => type.fields), ...model.calls.flatMap((call) => call.arguments)];
    expect(fields.filter(({ name }) => ['apikey', 'success', 'cursor', 'next_cursor'].includes(name))).toEqual([]);
  });

  it('knows what is sent, repeated and answered', () => {
    expect(callOf('send')).toMatchObject({ sends: 'body', repeat: 'keyed', answer: 'AcceptedMessage' });
    expect(callOf('media.upload')).toMatchObject({ sends: 'upload', repeat: 'keyed', answer: 'UploadedMedia' });
    expect(callOf('otp.verify')).toMatchObject({ sends: 'body', repeat: 'once', answer: 'OtpVerdict' });
    expect(callOf('messages.cancel')).toMatchObject({ ids: ['message_id'], sends: 'body', arguments: [] });
    expect(callOf('messages.list')).toMatchObject({ sends: 'query', list: { field: 'messages', item: 'Message' } });
    expect(callOf('numbers.buy')).toMatchObject({ repeat: 'keyed', answer: 'BoughtNumber' });
    expect(callOf('numbers.keep')).toMatchObject({ fixed: { cancel: 'true' }, arguments: [] });
  });

  it('gives times, whole numbers, files of messages and templates their types', () => {
    const fieldOf = (type: string, name: string) => typeOf(type)?.fields.find((field) => field.name === name);
    expect(fieldOf('SendSmsRequest', 'send_at')?.type).toEqual({ kind: 'time' });
    expect(fieldOf('SendBulkRequest', 'send_at')?.type).toEqual({ kind: 'time' });
    expect(fieldOf('SendSmsRequest', 'validity')?.type).toEqual({ kind: 'integer' });
    expect(fieldOf('SendSmsRequest', 'transcode')?.type).toEqual({ kind: 'boolean' });
    expect(fieldOf('SendSmsRequest', 'media')?.type).toEqual({
      kind: 'list',
      of: { kind: 'object', name: 'MediaSource' },
    });
    expect(fieldOf('SendBulkRequest', 'recipients')?.type).toEqual({
      kind: 'list',
      of: { kind: 'map', of: { kind: 'any' } },
    });
    expect(fieldOf('Message', 'sent_at')).toMatchObject({ type: { kind: 'time' }, isNullable: true, isRequired: true });
    expect(fieldOf('OtpVerdict', 'to')).toMatchObject({ isRequired: false });
    expect(fieldOf('Message', 'credits')?.type).toEqual({ kind: 'integer' });
  });
});
