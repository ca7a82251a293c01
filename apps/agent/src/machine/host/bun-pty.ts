/// <reference path="./bun.d.ts" />

import { dlopen } from 'bun:ffi'
import { type ChildProcess, spawn as spawnProcess } from 'node:child_process'
import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { constants as system } from 'node:os'
import type { TerminalSize } from '@qd/protocol/stream-frames'

/** Terminals of the single-file agent on Linux: Bun can’t run node-pty, and `Bun.Terminal` can’t be paused, so fast output would fill memory. The build substitutes this file for node-pty. */

/** ioctl requests, the same on x64 and arm64 (asm-generic/ioctls.h). */
const unlock = 0x40045431
const askNumber = 0x80045430
const setSize = 0x5414

/** musl maps every libc name to itself. */
const { ioctl } = dlopen('libc.so.6', { ioctl: { args: ['i32', 'u64', 'ptr'], returns: 'i32' } }).symbols

/** As node-pty. */
const drainMs = 200
const fullMs = 10

const call = (what: string, terminal: number, request: number, data: Int32Array | Uint16Array) => {
  if (ioctl(terminal, request, data) !== 0) throw new Error(`no terminal: ${what} failed`)
}

const toWindow = ({ cols, rows }: TerminalSize) => new Uint16Array([rows, cols, 0, 0])

interface SpawnOptions extends TerminalSize {
  env: NodeJS.ProcessEnv
  cwd: string
}

export const spawn = (file: string, args: readonly string[], { env, cwd, ...size }: SpawnOptions) => {
  const terminal = openSync('/dev/ptmx', constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK)
  let child: ChildProcess
  const number = new Int32Array(1)
  try {
    call('unlock', terminal, unlock, number)
    call('number', terminal, askNumber, number)
    call('size', terminal, setSize, toWindow(size))
    // A session leader’s first terminal becomes its controlling one.
    const script = 'exec "$@" <"$0" >"$0" 2>&1'
    const words = ['-c', script, `/dev/pts/${number[0]}`, file, ...args]
    child = spawnProcess('/bin/sh', words, { env, cwd, detached: true, stdio: 'ignore' })
    // Without a listener, a failed spawn would end the agent.
    child.on('error', () => undefined)
    if (child.pid === undefined) throw new Error('the shell can’t be started')
  } catch (error) {
    closeSync(terminal)
    throw error
  }
  const { pid } = child

  let isOver = false
  let resumed = Promise.resolve()
  let resume = () => {}
  let onData: (chunk: Uint8Array) => void = () => {}
  const reader = Bun.file(terminal).stream().getReader()
  const read = async () => {
    while (!isOver) {
      const { done, value } = await reader.read()
      if (done) return
      await resumed
      if (!isOver) onData(value)
    }
  }
  // Fails when the shell’s end closes.
  const ended = read().catch(() => undefined)

  const input: Uint8Array[] = []
  let retry: NodeJS.Timeout | undefined
  const flush = () => {
    retry = undefined
    while (!isOver && input[0]) {
      try {
        const rest = input[0].subarray(writeSync(terminal, input[0]))
        if (rest.length > 0) input[0] = rest
        else input.shift()
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
        retry = setTimeout(flush, fullMs)
        return
      }
    }
  }

  return {
    pid,
    ptsName: `/dev/pts/${number[0]}`,
    onData(listener: (chunk: Uint8Array) => void) {
      onData = listener
    },
    onExit(listener: (end: { exitCode: number; signal?: number }) => void) {
      child.once('exit', (code, signal) => {
        resume()
        setTimeout(async () => {
          isOver = true
          clearTimeout(retry)
          await reader.cancel().catch(() => undefined)
          await ended
          closeSync(terminal)
          listener({ exitCode: code ?? 0, ...(signal && { signal: system.signals[signal] }) })
        }, drainMs)
      })
    },
    write(bytes: Uint8Array) {
      input.push(bytes)
      if (!retry) flush()
    },
    resize: (to: TerminalSize | number, rows?: number) =>
      call('resize', terminal, setSize, toWindow(typeof to === 'number' ? { cols: to, rows: rows! } : to)),
    pause() {
      resumed = new Promise((resolve) => {
        resume = resolve
      })
    },
    resume: () => resume(),
    kill: () => process.kill(pid, 'SIGHUP'),
  }
}
