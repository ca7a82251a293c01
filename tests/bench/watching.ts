import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { Caller } from './caller.ts'
import type { Product } from './product.ts'

/** How much watches the servers, whose ids count from 1. */
export interface Watching {
  servers: number
  services: number
  /** Servers that look at each service. */
  reporters: number
  rules: number
}

const conditions = [
  { type: 'cpu', max: 101, duration: 10 },
  { type: 'memory', max: 101, duration: 20 },
  { type: 'disk', max: 101, duration: 10 },
  { type: 'load1', max: 1000, duration: 10 },
  { type: 'net_out_speed', max: 1e12, duration: 10 },
  { type: 'offline', duration: 10 },
] as const

/** Makes monitors of 30 s and alert rules on all servers through the API; nothing of it fails but every fiftieth monitor. */
export async function createWatching(caller: Caller, { servers, services, reporters, rules }: Watching): Promise<void> {
  for (let index = 0; index < services; index++) {
    const ids = Array.from({ length: reporters }, (_, place) => ((index * reporters + place) % servers) + 1)
    await caller.send('POST', '/api/v1/service', {
      name: `service ${index}`,
      type: 3,
      target: `192.0.2.1:${index % 50 === 49 ? failingPort : 1000 + index}`,
      duration: 30,
      cover: 1,
      skip_servers: Object.fromEntries(ids.map((id) => [id, true])),
    })
  }
  for (let index = 0; index < rules; index++) {
    await caller.send('POST', '/api/v1/alert-rule', {
      name: `rule ${index}`,
      enable: true,
      trigger_mode: 0,
      rules: [{ ...conditions[index % conditions.length], cover: 0, ignore: {} }],
    })
  }
}

/** Simulated agents reach nothing on this port. */
export const failingPort = 999

/** How late the server's event loop was since the first call, in ms. The first begins to measure. */
export async function loopDelay({ origin }: Product): Promise<{ p99: number; max: number }> {
  const text = await (await fetch(`${origin}/metrics`)).text()
  const at = (quantile: string) =>
    Number(new RegExp(`event_loop_delay_seconds\\{quantile="${quantile}"\\} (\\S+)`).exec(text)?.[1] ?? 0) * 1000
  return { p99: at('0.99'), max: at('1') }
}

const everyMs = 10
const script = `
const histogram = require('node:perf_hooks').monitorEventLoopDelay({ resolution: ${everyMs} })
histogram.enable()
process.on('message', () => {
  process.send(histogram.max)
  histogram.reset()
})`

/** A Node process that only waits: how late its event loop is, is what the machine costs whoever runs on it. */
export function startIdle(): { worst(): Promise<number>; close(): void } {
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  return {
    /** Since the last question, in ms. */
    async worst() {
      child.send('')
      const [nanoseconds] = await once(child, 'message')
      return Math.max(0, nanoseconds / 1e6 - everyMs)
    },
    close: () => void child.kill(),
  }
}

/** Somebody who looks at the live feed. */
export async function view({ origin, port }: Product, cookie: string): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/ws/server`, 'quarterdeck.live.v1', {
    headers: { cookie, origin },
  })
  await new Promise((resolve, reject) => socket.once('message', resolve).once('error', reject))
  return socket
}
