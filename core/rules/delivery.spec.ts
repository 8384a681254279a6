import { eventSourcesOf, mayBeHandedOver, rerouteSource } from './delivery.js';

describe('eventSourcesOf', () => {
  it('has the source of every change of route that a message can have', () => {
    const id = '0199d0d0-7c5a-7b1f-8e0a-4f6f2f9c1b3d';
    const handOvers = [1, 2, 3, 4].filter((count) => mayBeHandedOver('once', count) || mayBeHandedOver('fast', count));
    expect(handOvers.map((count) => rerouteSource(id, count))).toEqual(eventSourcesOf(id));
    expect(eventSourcesOf(id)[0]).toBe(id);
  });
});
