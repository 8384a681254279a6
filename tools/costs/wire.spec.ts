import { postgresStatements, smppPdus } from './wire.js';

const int = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const message = (type: string, ...texts: string[]) => {
  const body = Buffer.from(texts.map((text) => `${text}\0`).join(''));
  return Buffer.concat([Buffer.from(type), int(body.length + 4), body]);
};
const startUp = Buffer.concat([int(16), int(196_608), Buffer.from('user\0\0\0\0')]);

describe('statements on a wire', () => {
  it('are named by what they are prepared as, in however many chunks', () => {
    const texts = new Map<string, string>();
    const read = postgresStatements(texts);
    expect(read(startUp)).toEqual([]);
    const sent = Buffer.concat([message('P', 'claim-1', 'SELECT 1'), message('B', '', 'claim-1'), message('E', '')]);
    const names = [...sent].flatMap((byte) => read(Buffer.of(byte)));
    expect(names).toEqual(['claim-1']);
    expect(texts.get('claim-1')).toBe('SELECT 1');
    expect(read(message('B', '', 'claim-1'))).toEqual(['claim-1']);
  });

  it('are named by their texts when they have no names', () => {
    const read = postgresStatements(new Map());
    read(startUp);
    expect(read(message('Q', 'BEGIN'))).toEqual(['"BEGIN"']);
    expect(read(Buffer.concat([message('P', '', 'SELECT\n  2'), message('B', '', '')]))).toEqual(['"SELECT 2"']);
  });
});

it('PDUs on a wire are named by their command', () => {
  const pdu = (command: number, bytes = 0) => Buffer.concat([int(16 + bytes), int(command), Buffer.alloc(8 + bytes)]);
  const sent = Buffer.concat([pdu(0x4, 30), pdu(0x15), pdu(0x80000004, 9)]);
  const read = smppPdus();
  expect(read(sent.subarray(0, 20))).toEqual([]);
  expect(read(sent.subarray(20))).toEqual(['submit_sm', 'submit_sm_resp']);
});
