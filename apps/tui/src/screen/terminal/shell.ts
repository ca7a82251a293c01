import type { Client, Ports } from '@qd/core/api'
import type { ShellPlace } from '@qd/core/define'
import type { AppError } from '@qd/core/errors'
import type { Format, Translator } from '@qd/core/i18n'
import { createOutputQueue, createTerminalSession, type TerminalState } from '@qd/core/shells'
import type { StreamEnd } from '@qd/protocol/stream-close'
import type { ScreenHost } from '../../base/io.ts'
import { createShellEscape, leaveKeys } from './shell-escape.ts'
import { createShellModes } from './shell-modes.ts'

/** Left by the user, ended, or never opened. */
export type ShellEnd =
  | { kind: 'left' }
  | { kind: 'ended'; reason: StreamEnd; exit: number | null }
  | { kind: 'refused'; error: AppError }

export interface ShellRequest {
  host: Pick<ScreenHost, 'stdin' | 'stdout'>
  /** Input before the loan, as latin1 bytes. */
  typed?: string
  ports: Pick<Ports, 'openSocket' | 'now' | 'random' | 'setTimer'>
  client: Pick<Client, 'send' | 'capabilities' | 'socketHeaders'>
  baseUrl: string
  server: { id: number; name: string }
  /** The record on the server in which the shell runs. */
  inside?: ShellPlace | undefined
  translator: Translator
  format: Format
}

export interface Shell {
  /** Never rejects. The terminal is restored, out of raw mode. */
  readonly done: Promise<ShellEnd>
  leave(): void
}

const interrupt = 3

/** Connects the terminal to a server's shell; `Enter ~ .` leaves (behaviour T-27). */
export function openShell({
  host,
  typed = '',
  ports,
  client,
  baseUrl,
  server,
  inside,
  translator,
  format,
}: ShellRequest): Shell {
  const { stdin, stdout } = host
  const { t } = translator
  const withoutEscape = createShellEscape()
  const modes = createShellModes()
  let state: TerminalState = { status: 'opening' }
  let early = typed
  let isOver = false
  let finish: (end: ShellEnd) => void = () => undefined
  const done = new Promise<ShellEnd>((resolve) => {
    finish = resolve
  })
  const note = (text: string) => void stdout.write(`\r\n[${text}]\r\n`)
  const size = () => ({ cols: stdout.columns || 80, rows: stdout.rows || 24 })
  const queue = createOutputQueue({
    write: (bytes, ready) => void stdout.write(bytes, ready),
    onSkipped: (bytes) => note(t('ui.terminal.skipped', { size: format.bytes(bytes) })),
  })
  const session = createTerminalSession({
    server: server.id,
    inside,
    api: client,
    ports,
    baseUrl,
    headers: () => client.socketHeaders(),
    capabilities: () => client.capabilities(),
    size: size(),
    onOutput(bytes) {
      modes.see(bytes)
      queue.push(bytes)
    },
    onState(next) {
      if (next.status === 'ended') end({ kind: 'ended', reason: next.reason, exit: next.exit })
      if (next.status === 'refused') end({ kind: 'refused', error: next.error })
      if (next.status === 'lost' && state.status === 'live')
        note(t('ui.tui.shell.lost', { time: format.clock(next.lostAt), keys: leaveKeys }))
      state = next
      if (next.status === 'live' && early !== '') {
        const keys = early
        early = ''
        take(keys)
      }
    },
    onDivider({ shell, after, partedAt, at }) {
      const times = { lost: format.clock(partedAt), time: format.clock(at) }
      if (shell === 'new') stdout.write(modes.off())
      note(t(`ui.terminal.divider.${shell === 'same' ? 'same' : after}`, times))
    },
  })

  const end = (how: ShellEnd) => {
    if (isOver) return
    isOver = true
    session.close()
    stdin.off('data', take)
    stdin.off('end', leave)
    stdout.off('resize', resize)
    stdin.setRawMode(false)
    stdin.pause()
    stdout.write(`${modes.off()}\r\n`, () => finish(how))
  }
  const leave = () => end({ kind: 'left' })
  const take = (typed: string) => {
    const { bytes, leaves } = withoutEscape(Buffer.from(typed, 'latin1'))
    if (bytes.length > 0) {
      if (state.status !== 'live' && bytes[0] === interrupt) return leave()
      session.input(bytes)
    }
    if (leaves) leave()
  }
  const resize = () => session.resize(size())

  stdin.setRawMode(true)
  stdin.setEncoding('latin1')
  stdin.on('data', take)
  stdin.on('end', leave)
  stdout.on('resize', resize)
  stdin.resume()
  stdout.write(`${t('ui.tui.shell.entry', { name: server.name, keys: leaveKeys })}\r\n`)
  session.start()
  return { done, leave }
}

/**
 * Opens a shell while a password can still be asked for; later every key is the shell's. The session's first call gets
 * this answer. Errors: AppError.
 */
export async function withShellMade(client: Client, id: number, inside?: ShellPlace): Promise<Client> {
  let made = await client.send({ method: 'POST', path: 'terminal', body: { server_id: id, inside } })
  return {
    ...client,
    async send(sent) {
      const answer = made
      made = null
      return answer ?? client.send(sent)
    },
  }
}
