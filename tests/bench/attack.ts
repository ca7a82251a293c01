import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { attacks } from './attackers.ts'
import { type Caller, createCaller } from './caller.ts'
import { ended, lineOf, type Product, root, startProduct } from './product.ts'
import { atMost, type Row, spread, timed } from './row.ts'

const MiB = 1024 * 1024
const everyMs = 50

/** What may be less for a quick look. */
export interface AttackOptions {
  /** Agents that report while others attack. */
  agents?: number
  /** Agents that come back all at once. */
  storm?: number
  secondsEach?: number
  /** Addresses that attack; the calm row has none. */
  attackers?: number
}

/** What a quiet client waits for while somebody attacks, and what the attack makes the server hold (issue 11). */
export async function attackRows(options: AttackOptions = {}): Promise<Row[]> {
  const { agents = 500, storm = 3000, secondsEach = 15, attackers = 1 } = options
  return [...(await underAttack({ agents, secondsEach, attackers })), ...(await stormRows(storm))]
}

async function underAttack({ agents, secondsEach, attackers }: Required<Omit<AttackOptions, 'storm'>>): Promise<Row[]> {
  const product = await startProduct()
  try {
    await product.agents(agents, 3000)
    const caller = await createCaller(product)
    const measure = () => quietly(product, caller, secondsEach * 1000)
    // The first look only warms the server up.
    await measure()
    const calm = await measure()
    const what = (name: string) => `GET /server at ${agents} agents, ${name}: p95`
    const rows: Row[] = [atMost({ what: what('without an attack'), limit: 200, figure: calm.p95, unit: 'ms' })]
    for (const [name, { limit = 200 }] of Object.entries(attacks)) {
      const before = product.usage().residentBytes
      const attack = await run('attackers.ts', [name, String(product.port), String(attackers)], /^(the attack is on)$/m)
      const { p95, mostBytes, mostDescriptors } = await measure()
      await ended(attack.child)
      rows.push(
        atMost({ what: what(name), limit, figure: p95, unit: 'ms' }),
        atMost({
          what: `${name}: memory more than before`,
          limit: 64,
          figure: (mostBytes - before) / MiB,
          unit: 'MiB',
          digits: 0,
        }),
        atMost({ what: `${name}: descriptors`, limit: 5000, figure: mostDescriptors, unit: 'open', digits: 0 }),
      )
      await sleep(6000)
    }
    caller.close()
    return rows
  } finally {
    await product.close()
  }
}

/** a fleet whose connections were all lost comes back at once; then the server is stopped with all of it. */
async function stormRows(count: number): Promise<Row[]> {
  const product = await startProduct()
  let isStopped = false
  const fleet = (atOnce: number) =>
    run(
      'agents.ts',
      [...product.fleetFlags(count, 3000), '--at-once', String(atOnce), '--from', '127.0.0.2'],
      /^(\d+) sent away\n\d+ agents report$/m,
    )
  try {
    await ended((await fleet(50)).child, 'SIGKILL')
    await sleep(2000)
    const caller = await createCaller(product)
    let isBack = false
    const times: number[] = []
    const back = fleet(count).finally(() => {
      isBack = true
    })
    while (!isBack) {
      times.push(await timed(() => caller.send('GET', '/api/v1/server')))
      await sleep(everyMs)
    }
    const { child: agents, found: sentAway } = await back
    caller.close()
    const stopping = await timed(() => product.close())
    isStopped = true
    await ended(agents, 'SIGKILL')
    return [
      atMost({
        what: `${count} agents come back at once: GET /server, p95`,
        limit: 200,
        figure: spread(times).p95,
        unit: 'ms',
      }),
      atMost({
        what: `${count} agents come back at once: sent away`,
        limit: 0,
        figure: Number(sentAway),
        unit: 'agents',
        digits: 0,
      }),
      atMost({ what: `stop with ${count} agents`, limit: 5000, figure: stopping, unit: 'ms', digits: 0 }),
    ]
  } finally {
    if (!isStopped) await product.close()
  }
}

/** Calls as a person's console makes them, over one kept connection. */
async function quietly(product: Product, caller: Caller, ms: number) {
  const times: number[] = []
  let mostBytes = 0
  let mostDescriptors = 0
  for (const until = performance.now() + ms; performance.now() < until; await sleep(everyMs)) {
    times.push(await timed(() => caller.send('GET', '/api/v1/server')))
    mostBytes = Math.max(mostBytes, product.usage().residentBytes)
    mostDescriptors = Math.max(mostDescriptors, descriptorsOf(product))
  }
  return { p95: spread(times).p95, mostBytes, mostDescriptors }
}

/** Files and connections that the server has open. */
export const descriptorsOf = ({ pid }: Pick<Product, 'pid'>): number => readdirSync(`/proc/${pid}/fd`).length

/** Starts a program of this folder and waits for its line. */
async function run(
  file: string,
  args: readonly string[],
  line: RegExp,
): Promise<{ child: ChildProcess; found: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', join(root, 'tests/bench', file), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return { child, found: await lineOf(child, line) }
}
