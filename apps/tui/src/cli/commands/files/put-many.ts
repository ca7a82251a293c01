import { basename, resolve } from 'node:path'
import { askAbove } from '@qd/core/actions'
import { type AnyRow, titleOf } from '@qd/core/define'
import { AppError, toAppError, usageError } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { shownName } from '@qd/core/files'
import { errorText } from '@qd/core/i18n'
import { furtherReason, ItemState, NoAnswerReason, type RunItem, run as runResource, server } from '@qd/core/resources'
import { sentAs } from '@qd/core/schemas'
import { parseDurationMs } from '../../../base/connect/duration.ts'
import { type Cli, type Flag, type FlagValues, numberFlag, textFlag } from '../command.ts'
import { selectFlags } from '../flags/flags.ts'
import { pickMany } from '../pick.ts'
import { recordsOf } from '../read.ts'
import { localKind, sha256Of, withSize } from './local.ts'
import { filesOf, type MoveOptions, putFile } from './move.ts'

export const manyFlags: readonly Flag[] = [
  ...selectFlags('server'),
  { flags: '--canary <n>', help: 'ui.cli.flags.filesCanary' },
  { flags: '--batch <n>', help: 'ui.cli.flags.filesBatch' },
  { flags: '--soak <time>', help: 'ui.cli.flags.filesSoak' },
  { flags: '--max-fail <n>', help: 'ui.cli.flags.filesMaxFail' },
]

export const isToMany = (flags: FlagValues): boolean =>
  flags.select !== undefined || flags.ids !== undefined || flags.all === true

interface Part {
  server: string
  state: 'success' | 'failure' | 'not-sent'
  path: string
  size: number | null
  sha256: string | null
  error: string | null
}

/** Rollout: `canary` servers first, then `batch` at a time, `soak` seconds apart, until more than `max_failures` failed. */
interface Sending {
  local: string
  name: string
  path: string
  sha256: string
  options: MoveOptions
  plan: { canary: number; batch: number; soak: number; max_failures: number }
}

/** As a run if the server keeps runs. Asks above ten servers. Exit code: 0 all, 6 some, 1 none. Errors: `usage`, `notFound`. */
export async function putMany(
  cli: Cli,
  { from, place, flags, options }: { from: string; place: string; flags: FlagValues; options: MoveOptions },
): Promise<{ parts: readonly Part[]; code: number }> {
  const command = `qd files put ${from} ${place}`
  if (!place.startsWith(':'))
    throw usageError('notPlace', { text: place, try: `qd files put ${from} :/etc/app.conf --select web` })
  const path = place.slice(1)
  const soak = textFlag(flags, 'soak')
  const plan = {
    canary: numberFlag(flags, 'canary', { usual: 0, min: 0, max: maxCount }),
    batch: numberFlag(flags, 'batch', { usual: 10, max: maxCount }),
    soak: soak === undefined ? 0 : Math.ceil(parseDurationMs(soak, '--soak') / 1000),
    max_failures: numberFlag(flags, 'maxFail', { usual: 0, min: 0, max: maxCount }),
  }
  const records = await recordsOf(cli)
  const rows = await pickMany({ cli, resource: server, records, words: [], flags, command })
  const local = resolve(cli.io.cwd, from)
  const kind = await localKind(local)
  if (kind !== 'file') throw usageError(kind === 'device' ? 'deviceFile' : 'unreadableFile', { path: from })
  const { t } = cli
  cli.note(t('ui.cli.files.toThese', { count: rows.length, names: rows.map(nameOf).join(', '), path: shownName(path) }))
  if (flags.dryRun === true) {
    cli.note(t('ui.cli.dryRun.nothing'))
    return { parts: [], code: 0 }
  }
  if (rows.length > askAbove && flags.yes !== true) {
    if (!cli.canAsk) throw usageError('needsYes', { count: rows.length, try: `${command} --yes` })
    if (!(await cli.ask(t('ui.cli.files.sendNow')))) throw new AppError('cancelled')
  }
  const { client } = await cli.connect()
  const capabilities = await client.capabilities()
  const isRun = options.conflict !== 'skip' && capabilities.includes('file-runs')
  if (isRun && plan.soak > 0 && !capabilities.includes('soak')) throw new AppError('unsupported', { name: '--soak' })
  const parts = await withSize(local, async (content) => {
    const sending = { local: content, name: basename(local), path, sha256: await sha256Of(content), options, plan }
    return (isRun ? sendInRun : sendInWaves)(cli, rows, sending)
  })
  const failed = parts.filter(({ state }) => state !== 'success').length
  return { parts, code: failed === 0 ? 0 : failed === parts.length ? 1 : 6 }
}

const nameOf = (row: AnyRow) => plainText(titleOf(server, row))

const notSent = (row: AnyRow, path: string, error: string | null = null): Part => ({
  server: nameOf(row),
  state: 'not-sent',
  path,
  size: null,
  sha256: null,
  error,
})

const maxAtOnce = 10
const maxCount = 999_999
const pollMs = 250

async function sendInRun(cli: Cli, rows: readonly AnyRow[], sending: Sending): Promise<Part[]> {
  const { client } = await cli.connect()
  const { t, say } = cli
  const { name, path, plan } = sending
  const { soak, ...steps } = plan
  const body = { servers: rows.map(({ id }) => id), name, path, ...steps, ...(soak > 0 && { soak }) }
  const sent = sentAs(await client.send({ method: 'POST', path: 'file/run', body }), [])
  if (sent.kind !== 'sent' || sent.run === null) throw new AppError('badAnswer', { reason: 'file/run' })
  const id = sent.run
  cli.note(t('ui.cli.run.evidence', { id: String(id) }))
  const begun = new Map<number, Promise<Part>>()
  let busy = 0
  const begin = async (row: AnyRow) => {
    busy += 1
    return send(cli, row, sending, id).finally(() => {
      busy -= 1
    })
  }
  for (;;) {
    const run = await client.get(runResource, id)
    const items = new Map((run.items as readonly RunItem[]).map((item) => [item.server_id, item]))
    for (const row of rows)
      if (items.get(row.id)?.state === ItemState.sent && !begun.has(row.id) && busy < maxAtOnce)
        begun.set(row.id, begin(row))
    if (run.finished_at !== null)
      return Promise.all(
        rows.map((row) => {
          const item = items.get(row.id)
          const reason = item ? furtherReason(item) : null
          const isMissed = reason !== null && reason !== NoAnswerReason.stopped
          return begun.get(row.id) ?? notSent(row, path, isMissed ? say(`ui.run.reasons.${reason}`) : null)
        }),
      )
    await cli.pause(pollMs)
  }
}

/** Without runs on the server, this program schedules. */
async function sendInWaves(cli: Cli, rows: readonly AnyRow[], sending: Sending): Promise<Part[]> {
  const { path, plan } = sending
  const parts: Part[] = []
  const failures = () => parts.filter(({ state }) => state === 'failure').length
  for (const [index, wave] of wavesOf(rows, plan).entries()) {
    const isOver = failures() > plan.max_failures
    if (index > 0 && !isOver && plan.soak > 0) await cli.pause(plan.soak * 1000)
    const done = wave.map((row) => (isOver ? notSent(row, path) : send(cli, row, sending)))
    for (const part of await Promise.all(done)) parts.push(part)
  }
  return parts
}

async function send(cli: Cli, row: AnyRow, { local, path, sha256, options }: Sending, run?: number): Promise<Part> {
  const { files, ...place } = await filesOf(cli, row, run)
  try {
    const moved = await putFile(cli, local, { ...place, files, path }, path, {
      ...options,
      conflict: options.conflict ?? 'replace',
    })
    const { path: there = path, size = null } = moved ?? {}
    return { server: place.name, state: 'success', path: there, size, sha256: moved ? sha256 : null, error: null }
  } catch (thrown) {
    const { title, details } = errorText(cli.translator, toAppError(thrown))
    return { ...notSent(row, path, [title, ...details].join(': ')), state: 'failure' }
  } finally {
    files.close()
  }
}

function wavesOf(rows: readonly AnyRow[], { canary, batch }: Sending['plan']): (readonly AnyRow[])[] {
  const waves = canary > 0 ? [rows.slice(0, canary)] : []
  for (let at = canary; at < rows.length; at += batch) waves.push(rows.slice(at, at + batch))
  return waves
}
