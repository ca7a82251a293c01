import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IOStreamData } from '@qd/protocol/agent'
import { Task } from '@qd/protocol/agent'
import { type LogEntry, type LogFrame, parseLogFrame } from '@qd/protocol/logs'
import { extensionTask } from '@qd/protocol/task-types'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createMachine } from '../../apps/agent/src/machine/host.ts'
import { createLogsHandler } from '../../apps/agent/src/tasks/logs/logs.ts'
import { quick } from './world.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'qd-logs-'))
  vi.stubEnv('PATH', `${folder}:/usr/bin:/bin`)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

const install = (script: string, program = 'journalctl') => {
  writeFileSync(join(folder, program), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, program), 0o755)
}

async function* silenceUntil(ended: Promise<unknown>): AsyncGenerator<IOStreamData> {
  await ended
  yield* []
}

/** The server’s end of a reading. */
function read(
  request: object,
  limits?: { linesPerSecond: number; frame: number; waiting: number },
  logFolder = folder,
) {
  const frames: LogFrame[] = []
  let isFull = false
  let drain = () => {}
  let end = () => {}
  const ended = new Promise<{ code: number; details: string }>((resolve) => {
    end = () => {
      drain()
      resolve({ code: 0, details: '' })
    }
  })
  let isFirst = true
  const stream = {
    send({ data }: IOStreamData) {
      const frame = isFirst ? undefined : parseLogFrame(data)
      isFirst = false
      if (frame) frames.push(frame)
      return !isFull
    },
    drained: () =>
      isFull
        ? new Promise<void>((resolve) => {
            drain = resolve
          })
        : Promise.resolve(),
    messages: silenceUntil(ended),
    ended,
    halfClose: async () => end(),
    cancel: () => end(),
  }
  const task = { id: 1n, type: extensionTask.logs, data: JSON.stringify({ StreamID: 's', ...request }) }
  const handler = createLogsHandler(createMachine(), quick, { folder: logFolder, ...(limits && { limits }) })
  const over = Promise.resolve(
    handler(Task.create(task), { reply: () => {}, progress: undefined, openStream: () => stream }),
  )
  const entries = (): LogEntry[] => frames.flatMap((frame) => (frame.kind === 'entries' ? [...frame.entries] : []))
  return {
    frames,
    over,
    entries,
    left: () => frames.reduce((sum, frame) => sum + (frame.kind === 'entries' ? frame.left : 0), 0),
    stop: end,
    fill: (isOn: boolean) => {
      isFull = isOn
      if (!isOn) drain()
    },
  }
}

const line = (fields: object) => JSON.stringify({ __REALTIME_TIMESTAMP: '1795704844081652', ...fields })

test('a request becomes single arguments of journalctl, whatever it holds, and no shell reads them', async () => {
  install(`for one; do printf '%s\\n' "$one"; done > '${folder}/args'`)
  const unit = `--help; $(touch ${folder}/pwned) 'x'`
  await read({ unit, since: 1795704844005, lines: 7, follow: true, grep: '--vacuum-size=1 `id`' }).over
  expect(readFileSync(join(folder, 'args'), 'utf8').split('\n')).toEqual([
    '--output=json',
    '--all',
    '--no-pager',
    '--output-fields=MESSAGE,PRIORITY,SYSLOG_IDENTIFIER,_COMM,_PID,_SYSTEMD_UNIT,UNIT',
    '--follow',
    '--no-tail',
    '--since=@1795704844.005',
    `--unit=${unit}`,
    '--grep=--vacuum-size=1 `id`',
    '',
  ])
  expect(existsSync(join(folder, 'pwned'))).toBe(false)
})

test('lines of the journal are read: texts, bytes, repeated fields, and what systemd says of a unit', async () => {
  const lines = [
    line({ MESSAGE: 'plain', PRIORITY: '3', SYSLOG_IDENTIFIER: 'nginx', _PID: '12', _SYSTEMD_UNIT: 'nginx.service' }),
    line({ MESSAGE: [226, 130, 172, 27], _COMM: 'x' }),
    line({ MESSAGE: ['a', 'b'], UNIT: 'web.service', _SYSTEMD_UNIT: 'init.scope' }),
    'no JSON',
    '{broken',
    line({ MESSAGE: null }),
  ]
  writeFileSync(join(folder, 'out'), lines.reverse().join('\n'))
  install(`exec cat '${folder}/out'`)
  const { over, frames, entries } = read({})
  await over
  const at = 1795704844081
  expect(entries()).toEqual([
    { at, unit: 'nginx.service', name: 'nginx', pid: 12, level: 3, text: 'plain' },
    { at, unit: '', name: 'x', pid: 0, level: 6, text: '€\u001b' },
    { at, unit: 'web.service', name: '', pid: 0, level: 6, text: 'a\nb' },
    { at, unit: '', name: '', pid: 0, level: 6, text: '' },
  ])
  expect(frames[0]).toEqual({ kind: 'source', source: 'journal', filtered: true })
  expect(frames.at(-1)).toEqual({ kind: 'end', end: 'done', error: '' })
})

test('the newest lines since a time: in reverse if it ends, else without the older ones', async () => {
  const tell = `echo "$*" >> '${folder}/args'`
  install(`${tell}; for n in 2 1; do printf '%s\\n' '${line({ MESSAGE: 'at' })}'; done`)
  await read({ since: 1795704844005, lines: 7 }).over
  install(
    `${tell}; echo '${line({ MESSAGE: 'old' })}'; echo '${line({ MESSAGE: 'new', __REALTIME_TIMESTAMP: '1795704999000000' })}'`,
  )
  const followed = read({ since: 1795704900000, lines: 7, follow: true })
  await followed.over
  expect(followed.entries().map(({ text }) => text)).toEqual(['new'])
  const args = readFileSync(join(folder, 'args'), 'utf8').split('\n')
  expect(args[0]).toMatch(/ --reverse --lines=7 --since=@1795704844\.005$/)
  expect(args[1]).toMatch(/ --follow --lines=7$/)
})

test('a quiet host is followed, and its program ends with the stream', async () => {
  install(`echo $$ > '${folder}/pid'; exec sleep 1000`)
  const { frames, stop, over } = read({ follow: true })
  await expect.poll(() => frames, { timeout: 5_000 }).toMatchObject([{ kind: 'source' }])
  stop()
  await over
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
  const isGone = () => !existsSync(`/proc/${pid}`) || readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[2] === 'Z'
  await expect.poll(isGone, { timeout: 5_000 }).toBe(true)
})

test('a flood is counted, not sent', async () => {
  const total = 200_000
  install(`yes '${line({ MESSAGE: 'x'.repeat(100) })}' | head -n ${total}`)
  const { over, entries, left } = read({ lines: 50 }, { linesPerSecond: 100, frame: 64 * 1024, waiting: 2 ** 20 })
  await over
  expect(entries().length + left()).toBe(total)
  expect(entries().length).toBeGreaterThanOrEqual(50)
  expect(entries().length).toBeLessThan(10_000)
}, 30_000)

test('a server that takes nothing leaves a bounded amount on the host, and learns what is missing', async () => {
  install(`yes '${line({ MESSAGE: 'x'.repeat(1000) })}' | head -n 5000; touch '${folder}/printed'; exec sleep 1000`)
  const reading = read({ lines: 5000, follow: true }, { linesPerSecond: 1, frame: 4_096, waiting: 50_000 })
  reading.fill(true)
  await expect.poll(() => existsSync(join(folder, 'printed')), { timeout: 20_000 }).toBe(true)
  expect(reading.entries().length).toBeLessThan(10)
  reading.fill(false)
  await expect.poll(() => reading.entries().length + reading.left(), { timeout: 5_000 }).toBe(5000)
  expect(reading.entries().length).toBeLessThan(100)
  expect(Math.max(...reading.frames.map((frame) => JSON.stringify(frame).length))).toBeLessThan(6_000)
  reading.stop()
  await reading.over
}, 30_000)

test('a line without an end is left out', async () => {
  install(`head -c 3000000 /dev/zero; echo; echo '${line({ MESSAGE: 'after' })}'`)
  const { over, entries, left } = read({})
  await over
  expect(entries()).toMatchObject([{ text: 'after' }])
  expect(left()).toBe(1)
})

test.each([
  ['No journal files were opened due to insufficient permissions.', 1, { end: 'no permission', error: '' }],
  [
    'Bad pattern "(": missing closing parenthesis',
    1,
    { end: 'failed', error: 'Bad pattern "(": missing closing parenthesis' },
  ],
  ['No journal files were found.', 0, { end: 'not supported', error: '' }],
])('what journalctl says is what the host says: %s', async (text, code, end) => {
  install(`echo '${text}' >&2; exit ${code}`)
  const { over, frames } = read({})
  await over
  expect(frames.at(-1)).toEqual({ kind: 'end', ...end })
})

test('a host without a journal has files of syslog, old and new form', async () => {
  install('echo "No journal files were found." >&2; exec sleep 1000')
  const time = new Date(Date.now() - 60_000)
  const old = `${time.toLocaleString('en-US', { month: 'short' })} ${String(time.getDate()).padStart(2)} ${time.toTimeString().slice(0, 8)}`
  const text = [
    `${old} web daemon.err nginx[7]: from BusyBox`,
    `${time.toISOString()} web nginx[8]: new form`,
    `${old} web cron: other`,
    '2020-01-01T00:00:00Z web nginx: too old',
    '',
  ]
  writeFileSync(join(folder, 'messages'), text.join('\n'))
  const { over, frames, entries } = read({ unit: 'nginx.service', since: Date.now() - 3_600_000, follow: false })
  await over
  expect(frames[0]).toEqual({ kind: 'source', source: 'files', filtered: false })
  expect(entries()).toEqual([
    { at: Math.floor(time.getTime() / 1000) * 1000, unit: '', name: 'nginx', pid: 7, level: 3, text: 'from BusyBox' },
    { at: time.getTime(), unit: '', name: 'nginx', pid: 8, level: 6, text: 'new form' },
  ])
})

test('a host with neither says so, and a wrong request is refused', async () => {
  vi.stubEnv('PATH', folder)
  const nothing = read({})
  await nothing.over
  expect(nothing.frames).toEqual([{ kind: 'end', end: 'not supported', error: '' }])
  for (const wrong of [
    { unit: 'a\nb' },
    { lines: -1 },
    { lines: 1e9 },
    { since: 'now' },
    { follow: 1 },
    { grep: [] },
    { container: 7 },
  ]) {
    const { over, frames } = read(wrong)
    await over
    expect(frames).toEqual([{ kind: 'end', end: 'failed', error: `bad ${Object.keys(wrong)[0]}` }])
  }
  const two = read({ unit: 'nginx', file: 'syslog' })
  await two.over
  expect(two.frames).toEqual([{ kind: 'end', end: 'failed', error: 'bad file' }])
})

test('lines of a container come from both its outputs; a container that docker doesn’t know is one of podman', async () => {
  install('echo "Error response from daemon: No such container: app" >&2; exit 1', 'docker')
  install(
    `printf '%s\\n' "$@" > '${folder}/args'
    printf '2026-11-26T15:02:14.123456789Z permission denied\\r\\n' >&2
    echo '2026-11-26T16:02:15.5+01:00 out'; echo 'said by podman' >&2`,
    'podman',
  )
  const name = '--help; $(id)'
  const { over, frames, entries } = read({ container: name, since: 1795704844005, lines: 7, follow: true })
  await over
  expect(readFileSync(join(folder, 'args'), 'utf8').split('\n')).toEqual([
    ...['logs', '--timestamps', '--tail=7', '--since=2026-11-26T14:54:04.005Z', '--follow', '--', name, ''],
  ])
  expect(entries().sort((a, b) => a.at - b.at)).toMatchObject([
    { at: Date.parse('2026-11-26T15:02:14.123Z'), name, text: 'permission denied' },
    { at: Date.parse('2026-11-26T15:02:15.500Z'), name, text: 'out' },
  ])
  expect(frames[0]).toEqual({ kind: 'source', source: 'podman', filtered: false })
  expect(frames.at(-1)).toEqual({ kind: 'end', end: 'done', error: '' })
  install('touch docker-was-asked', 'docker')
  await read({ container: 'podman/app' }).over
  expect(readFileSync(join(folder, 'args'), 'utf8')).toMatch(/--\napp\n$/)
  expect(existsSync('docker-was-asked')).toBe(false)
})

test('why a container can’t be read: neither engine, none that knows it, no right', async () => {
  const endOf = async () => {
    const { over, frames } = read({ container: 'app' })
    await over
    return frames
  }
  vi.stubEnv('PATH', `${folder}:/bin`)
  const podman = 'echo "Error: no container with name or ID \\"app\\" found: no such container" >&2; exit 125'
  install('echo "Cannot connect to the Docker daemon at unix:///var/run/docker.sock." >&2; exit 1', 'docker')
  install(podman, 'podman')
  expect(await endOf()).toMatchObject([{ end: 'failed', error: expect.stringContaining('no such container') }])
  install('exit 127', 'podman')
  expect(await endOf()).toEqual([{ kind: 'end', end: 'not supported', error: '' }])
  install('echo "permission denied while trying to connect to the Docker daemon socket" >&2; exit 1', 'docker')
  expect(await endOf()).toEqual([{ kind: 'end', end: 'no permission', error: '' }])
})

test('a file below the folder of logs is read, with the times of its lines; no other file is', async () => {
  mkdirSync(join(folder, 'log', 'nginx'), { recursive: true })
  const text = [
    '10.0.0.1 - - [26/Nov/2026:15:02:14 +0000] "GET / HTTP/1.1" 502 0',
    '2026/11/26 15:02:15 [error] 7#7: upstream',
    '  at a stack trace',
    '',
  ]
  writeFileSync(join(folder, 'log', 'nginx', 'access.log'), text.join('\n'))
  writeFileSync(join(folder, 'secret'), 'secret')
  symlinkSync(join(folder, 'secret'), join(folder, 'log', 'link'))
  const local = Date.parse('2026-11-26T15:02:15')
  for (const file of ['nginx/access.log', join(folder, 'log', 'nginx/access.log')]) {
    const { over, entries } = read({ file }, undefined, join(folder, 'log'))
    await over
    expect(entries().map(({ at, text: line }) => [at, line])).toEqual([
      [Date.parse('2026-11-26T15:02:14Z'), text[0]],
      [local, text[1]],
      [local, text[2]],
    ])
  }
  for (const file of ['../secret', 'link', 'nginx', 'none', '/etc/passwd', '--help']) {
    const { over, frames } = read({ file }, undefined, join(folder, 'log'))
    await over
    expect(frames).toEqual([{ kind: 'end', end: 'failed', error: expect.stringContaining('no such file in') }])
  }
})
