import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AnyRow, HostSource, Resource } from '@qd/core/define'
import { createFormat, createTranslator, loadLanguage } from '@qd/core/i18n'
import { hostRowName, resources } from '@qd/core/resources'
import { presentCell } from '@qd/core/view'
import { parseLogRequest } from '@qd/protocol/logs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { containerProgram, fileProgram, journalProgram } from '../../apps/agent/src/tasks/logs/sources.ts'
import { commandLineOf } from '../../apps/server/src/act/runs/outcome.ts'

const folder = mkdtempSync(join(tmpdir(), 'qd-host-names-'))
/** Where a name leaves a file if a shell runs it. */
const hits = join(folder, 'hits')
beforeAll(() => mkdirSync(hits))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(() => () => expect(readdirSync(hits)).toEqual([]))

const hit = `touch ${hits}/hit`
const control = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/
const fronts = ['', '-', '--', 'docker/', 'podman/', 'apt/', 'apk/', 'dnf/', 'zypper/']
const parts = [
  ...[`$(${hit})`, `\`${hit}\``, `;${hit};`, `|${hit}`, `&${hit}&`, `\n${hit}\n`, `\${x:-$(${hit})}`, `<(${hit})`],
  ...["'", '"', `'"'"'`, '\\', '\\\\', '\n', '\r\n', '\t', ' ', '*', '~', '?', '[a-z]', '{a,b}', '#', '!', '!!', '$$'],
  ...[
    '--help',
    '-rf',
    '--',
    '-',
    '--host=evil',
    '-o',
    '=',
    '@',
    '/',
    '..',
    '../../etc/passwd',
    '%s%n',
    '%00',
    '.service',
  ],
  ...[
    '\u001b[2J',
    '\u001b]0;title\u0007',
    '\u0000',
    '\b',
    '\u009b31m',
    '\u202e',
    '\u2066',
    '\u200f',
    '\u2028',
    '\u007f',
  ],
  ...['nginx', 'app', 'openssl', '1234@567', 'ä', '名', '🚢', 'x'.repeat(4096)],
]
/** Texts that a host, or a member who calls the API, may give for a name: the same in each run. */
const names = (() => {
  let state = 40
  const below = (most: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
  return Array.from({ length: 10_000 }, (_, index) => {
    const some = Array.from({ length: 1 + below(4) }, () => parts[below(parts.length)])
    return `${fronts[index % fronts.length]}${some.join('')}`
  })
})()
/** Those that the server takes in a call. */
const taken = names.filter((name) => hostRowName().safeParse(name).success)

const hostKinds = resources.filter((resource): resource is Resource & { host: HostSource } => resource.host !== null)
const actions = hostKinds.flatMap(({ name: kind, host, actions: own }) =>
  Object.values(own)
    .filter(({ wire, opens }) => wire && opens === null)
    .map(({ name, args }) => ({ kind, name, host, args: args?.initial ?? {} })),
)

test('the names are as wild as they should be, and the server refuses control characters and long ones', () => {
  expect(new Set(names).size).toBeGreaterThan(6_000)
  expect(names.some((name) => name.length > 4096)).toBe(true)
  expect(taken.length).toBeGreaterThan(3_000)
  expect(taken.filter((name) => /\p{Cc}/u.test(name) || name.length > 256)).toEqual([])
  for (const part of [hit, '--help', "'", '"', '\\', '\u202e', '`'])
    expect(taken.filter((name) => name.includes(part)).length, part).toBeGreaterThan(50)
})

describe('a name that an action gets', () => {
  test.each(actions)(
    '$kind $name: is the last argument, behind the options, or refused',
    async ({ name, host, args }) => {
      const commandOf = await host.commands()
      const calm = fronts.flatMap((front) => {
        const argv = commandOf(name, [`${front}nginx`], args)
        return argv ? [argv] : []
      })
      expect(calm.length).toBeGreaterThan(0)
      const whole = new Set(calm.map((argv) => argv.join('\0')))
      const heads = new Set(calm.map((argv) => argv.slice(0, -1).join('\0')))
      const isSafe = (one: string) => {
        const argv = commandOf(name, [one], args)
        // All of a kind on a server: the name says only where.
        if (!argv || whole.has(argv.join('\0'))) return true
        const last = argv.at(-1) ?? ''
        const isName = one === last || one.endsWith(`/${last}`)
        // A program gets it behind `--`, a script behind its own name or a checked word.
        const isScript = argv[0] === 'sh' && argv[1] === '-c' && argv[3] === 'sh'
        return isName && heads.has(argv.slice(0, -1).join('\0')) && (isScript || argv.at(-2) === '--')
      }
      expect(names.filter((one) => !isSafe(one))).toEqual([])
    },
  )

  test('two engines in one call: neither is an option or a command of the script', () => {
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    const seen = join(folder, 'seen')
    for (const engine of ['docker', 'podman'])
      writeFileSync(join(bin, engine), `#!/bin/sh\nprintf '%s\\0' ${engine} "$@" >>${seen}\n`, { mode: 0o755 })
    const some = taken.filter((name) => /^(docker|podman)\/./s.test(name)).slice(0, 200)
    const commandOf = hostKinds.find(({ name }) => name === 'container')?.host.commands()
    return commandOf?.then((make) => {
      const [file = '', ...args] = make('remove', some) ?? []
      execFileSync(file, args, { env: { PATH: `${bin}:${process.env.PATH}` } })
      const expected = some.flatMap((ref) => {
        const engine = ref.slice(0, ref.indexOf('/'))
        return [engine, 'rm', '--', ref.slice(engine.length + 1)]
      })
      expect(readFileSync(seen, 'utf8').split('\0').slice(0, -1)).toEqual(expected)
    })
  })

  test('a process that no host has listed: the script says it has ended, and runs nothing', async () => {
    const make = await hostKinds.find(({ name }) => name === 'process')?.host.commands()
    const some = [...taken.filter((name) => !/^\d+@/.test(name)).slice(0, 300), '@', 'x@']
    const [file = '', ...args] = make?.('kill', some) ?? []
    let said = ''
    try {
      execFileSync(file, args, { cwd: folder })
    } catch (thrown) {
      said = String((thrown as { stdout: unknown }).stdout)
    }
    expect(said.split('\n').slice(0, -1)).toEqual(some.map((name) => `process ${name.split('@')[0]} has ended`))
  })
})

test('quoted for a shell of an existing agent, every name arrives as it is, in sh and in bash', () => {
  const words = names.map((name) => name.replaceAll('\0', '')).filter((name) => !name.includes('\ufffd'))
  const script = join(folder, 'words.sh')
  writeFileSync(script, words.map((word) => `printf '%s\\0' ${commandLineOf([word])}`).join('\n'))
  for (const shell of ['sh', 'bash']) {
    const printed = execFileSync(shell, [script], { cwd: hits, maxBuffer: 2 ** 27 }).toString('utf8')
    expect(printed.split('\0').slice(0, -1)).toEqual(words)
  }
})

test('a shell in a record: each name is one argument behind the options', () => {
  for (const { host } of hostKinds) {
    const isSafe = (name: string) => {
      const argv = host.shell?.(name)
      if (!argv) return true
      const slash = name.indexOf('/')
      const calm = host.shell?.(`${name.slice(0, slash)}/nginx`) ?? []
      const place = calm.indexOf('nginx')
      return calm[place - 1] === '--' && argv.join('\0') === calm.with(place, name.slice(slash + 1)).join('\0')
    }
    expect(names.filter((name) => !isSafe(name))).toEqual([])
  }
})

test('logs: a name or expression is never an option, and what isn’t plain text is refused', () => {
  const asked = { since: null, lines: 10, follow: false }
  const isSafe = (name: string) => {
    const request = parseLogRequest({ ...asked, unit: name, grep: name.slice(0, 200) })
    if ('wrong' in request) return name.length > 256 || /\p{Cc}/u.test(name)
    const own = [`--unit=${name}`, `--grep=${request.grep}`]
    const journal = journalProgram(request).args
    const others = journal.filter((word) => !own.includes(word))
    const ends = [
      containerProgram('docker', { ...request, unit: '', container: name }).args.slice(-2),
      containerProgram('podman', { ...request, unit: '', container: name }).args.slice(-2),
      fileProgram(name, { ...request, unit: '' }, Date.now).args.slice(-2),
    ]
    const isLast = ends.every(([mark, word]) => mark === '--' && word === name)
    return isLast && journal.length === others.length + 2 && !others.join(' ').includes(hit)
  }
  expect(names.filter((name) => name !== '' && !isSafe(name))).toEqual([])
})

/** What a host prints that has a record with this name, by kind. */
const outputs: Readonly<Record<string, (name: string) => string>> = {
  unit: (name) => `#@ systemctl\nId=${name}.service\nDescription=${name}\nSubState=${name}\nUnitFileState=${name}\n`,
  container: (name) =>
    `#@ docker\n${JSON.stringify({ id: '1', name, image: name, state: 'running', ports: name })}\n#@ podman-error\n${name}`,
  process: (name) => `#@ linux\n100\n4096\n0\n1 2\n7 1 S 0 1 1 1 1 1 ${name}\n`,
  port: (name) => `#@ ss\ntcp LISTEN 0 0 ${name}:22 0.0.0.0:* users:(("${name}",pid=1,fd=3))\n`,
  filesystem: (name) => `#@ mounts\n1 0:1 / /${name} rw rw ext4 ${name} rw\n`,
  package: (name) => `#@ apt\n${name}/stable 1.1 amd64 [upgradable from: ${name}]\n`,
}

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const view = { now: 0, find: () => undefined, title: () => null, all: () => [], referring: () => [], trend: () => [] }
const surface = {
  translator,
  format: createFormat({ translator, timeZone: 'UTC' }),
  view,
  viewer: { id: 1, username: 'admin', role: 0, scopes: null },
}

test('each kind has an output', () => {
  expect(Object.keys(outputs).sort()).toEqual(hostKinds.map(({ name }) => name).sort())
})

test.each(hostKinds)(
  '$name: a record with such a name has no control characters, and is shown without',
  async (kind) => {
    const parse = await kind.host.parser()
    expect(names.filter((name) => control.test(textIn(parse(outputs[kind.name]!(name)))))).toEqual([])
    // A server may be older, or lie: no surface trusts its rows.
    const fields = Object.keys(kind.fields).filter((field) => kind.fields[field]?.kind === 'text')
    const base = kind.read.parse({ id: 1, server_id: 1, name: 'x' }) as AnyRow
    const isShown = (name: string) =>
      fields.some((field) => {
        const { text, full = '' } = presentCell(surface, { resource: kind, row: { ...base, [field]: name }, field })
        return control.test(text) || control.test(full)
      })
    expect(names.filter(isShown)).toEqual([])
  },
)

/** All texts in a value, as they are. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? Object.values(value).map(textIn).join(' ') : ''
}
