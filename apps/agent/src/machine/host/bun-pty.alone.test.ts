import { EventEmitter } from 'node:events'
import { expect, test, vi } from 'vitest'

const child = new EventEmitter()
vi.mock('bun:ffi', () => ({ dlopen: () => ({ symbols: { ioctl: () => 0 } }) }))
vi.mock('node:child_process', () => ({ spawn: () => child }))

test.skipIf(process.platform !== 'linux')('a shell that can’t be started doesn’t end the agent', async () => {
  const { spawn } = await import('./bun-pty.ts')
  const options = { cols: 80, rows: 24, env: {}, cwd: '/gone' }
  expect(() => spawn('/bin/sh', [], options)).toThrow('the shell can’t be started')
  expect(() => child.emit('error', new Error('spawn /bin/sh ENOENT'))).not.toThrow()
})
