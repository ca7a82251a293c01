import type { Base, Engines } from './services.ts'

/** Builds live state, agent hub, run ledger, scheduler and websockets. Idle until live/, rpc/, ws/ and jobs/ are wired here (server-rt owns this file). */
export function createEngines(_base: Base): Engines {
  return {
    live: {
      hostOf: () => ({}),
      sampleOf: () => ({}),
      geoipOf: () => ({ ip: {} }),
      lastActive: () => null,
      lastSeen: () => null,
      versionOf: () => 0,
      version: () => 0,
      onChange: () => () => {},
    },
    agents: { connected: () => false, send: () => false, disconnect: () => {} },
    runs: {
      startCron: () => Promise.reject(new Error('no engine')),
      again: () => Promise.reject(new Error('no engine')),
      list: async () => ({ rows: [], total: 0 }),
      get: async () => null,
    },
    all: [],
    acceptAgent: (socket) => socket.destroy(),
    acceptUpgrade: () => false,
    answerPlain: () => false,
  }
}
