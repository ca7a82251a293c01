import type { Engine } from './services.ts'

/** What `/healthz` tells of, and the start of the engines that it waits for. */
export interface Health {
  /** One engine after the other. */
  start(): Promise<void>
  /** Every reason why the server is not healthy; none while all is well. */
  troubles(): Promise<string[]>
}

/** The port listens before the engines run: until they do, the server is not healthy. */
export function createHealth(engines: readonly Engine[], databaseTrouble: () => Promise<string | null>): Health {
  let isRunning = false
  return {
    async start() {
      for (const engine of engines) await engine.start()
      isRunning = true
    },
    async troubles() {
      const found = [
        isRunning ? null : 'the server is starting',
        await databaseTrouble(),
        ...engines.map((engine) => engine.trouble()),
      ]
      return found.filter((text) => text !== null)
    },
  }
}
