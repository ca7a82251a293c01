import { readFileSync } from 'node:fs'
import { GeoIP, Host, IOStreamData, Receipt, State, Task, TaskResult, Uint64Receipt } from '@qd/protocol/agent'

/** One line of a recorded session: a message (`hex`, no `event`) or a named event. Source: fixtures/README.md, "agent". */
export interface Recorded {
  at: number
  connection?: number
  stream?: number
  method?: string
  dir?: 'agent->server' | 'server->agent'
  event?: string
  headers?: string[]
  hex?: string
  length?: number
  hexHead?: string
  message?: string
  decoded?: Record<string, unknown>
  status?: number
  grpcMessageText?: string
  code?: number
}

/** A recorded session between the existing agent and the existing server. */
export interface Scenario {
  name: string
  note?: string
  messages: Recorded[]
}

const root = new URL('../../data/fixtures/agent/', import.meta.url)

/** Reads one of the copies in tests/data/fixtures/agent, for example `connect`. */
export const loadFixture = <T = { about: string; scenarios: Scenario[] }>(name: string): T =>
  JSON.parse(readFileSync(new URL(`${name}.json`, root), 'utf8'))

/** One scenario of a file by its name. Errors: throws when there is none. */
export const loadScenario = (file: string, name: string): Scenario => {
  const found = loadFixture(file).scenarios.find((scenario) => scenario.name === name)
  if (!found) throw new Error(`no scenario ${name} in ${file}.json`)
  return found
}

/** The message types of the protocol by the names that the recordings use. */
export const messageTypes = { GeoIP, Host, IOStreamData, Receipt, State, Task, TaskResult, Uint64Receipt }

/** Whether a recorded line is a gRPC message (and not an event of the connection). */
export const isMessage = (line: Recorded): boolean => line.event === undefined && line.method !== undefined
