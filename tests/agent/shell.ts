import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { IOStreamData, Task } from '@qd/protocol/agent'
import { toInputFrame } from '@qd/protocol/stream-frames'
import { taskType } from '@qd/protocol/task-types'
import { expect, vi } from 'vitest'
import type { AgentEvent, RawServer, ServerCall } from '../support/peers/h2-server.ts'

/** The server's end of a terminal. */
export interface Shell {
  readonly call: ServerCall
  /** All output so far. */
  text(): string
  /** How many messages it came in, and the length of the longest. */
  messages(): { count: number; maxBytes: number }
  send(frame: Uint8Array): void
  type(keys: string): void
  /** Waits until the output matches. */
  see(wanted: string | RegExp, timeoutMs?: number): Promise<void>
  /** Waits for the agent's half-close or reset. */
  ended(event: 'half-close' | 'rst-stream', timeoutMs?: number): Promise<void>
}

/** The stream id of these tests. */
export const streamId = '0cbcf580-2122-1cb6-89c2-919c740aa904'

/** Gives the shells of a test one bash with nobody's settings and a prompt of its own; returns its path and the way back. */
export const useBash = (): { bash: string; restore(): void } => {
  const folder = mkdtempSync(join(tmpdir(), 'qd-shell-'))
  const bash = join(folder, 'bash')
  symlinkSync('/bin/bash', bash)
  writeFileSync(join(folder, '.bashrc'), "PS1='$ '\nPATH=/usr/bin:/bin\n")
  vi.stubEnv('PATH', folder)
  vi.stubEnv('HOME', folder)
  return {
    bash,
    restore() {
      vi.unstubAllEnvs()
      // A shell that ends writes its history now.
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
    },
  }
}

/** Asks the agent for a terminal. `more`: what else its task says. */
export const askForTerminal = (tasks: ServerCall, more: object = {}): void => {
  const data = JSON.stringify({ StreamID: streamId, ...more })
  tasks.send(Task.encode(Task.create({ type: taskType.terminal, data })).finish())
}

/** Waits for the stream that the agent opens and its attach message. */
export const takeShell = async (server: RawServer): Promise<Shell> => {
  const open = await server.take(
    (event): event is Extract<AgentEvent, { event: 'open' }> => event.event === 'open' && event.method === 'IOStream',
  )
  const { call } = open
  const isOurs = (event: AgentEvent): event is Extract<AgentEvent, { event: 'message' }> =>
    event.event === 'message' && event.call === call
  const attach = IOStreamData.decode((await server.take(isOurs)).bytes).data
  expect(Buffer.from(attach).toString('latin1')).toMatch(/^\xff\x05\xff\x05[\da-f-]{36}$/)
  call.respond()
  const chunks: Buffer[] = []
  const collect = () => {
    const unread = server.unread as AgentEvent[]
    const found = unread.filter(isOurs)
    unread.splice(0, unread.length, ...unread.filter((event) => !isOurs(event)))
    for (const { bytes } of found) chunks.push(Buffer.from(IOStreamData.decode(bytes).data))
  }
  const send = (data: Uint8Array) => call.send(IOStreamData.encode({ data }).finish())
  const text = () => {
    collect()
    return Buffer.concat(chunks).toString()
  }
  return {
    call,
    text,
    send,
    messages() {
      collect()
      return { count: chunks.length, maxBytes: Math.max(0, ...chunks.map(({ length }) => length)) }
    },
    type: (keys) => send(toInputFrame(keys)),
    see: (wanted, timeoutMs = 20_000) =>
      vi.waitFor(
        () => (typeof wanted === 'string' ? expect(text()).toContain(wanted) : expect(text()).toMatch(wanted)),
        { timeout: timeoutMs, interval: 10 },
      ),
    ended: async (event, timeoutMs) =>
      void (await server.take((found) => found.event === event && found.call === call, timeoutMs)),
  }
}
