import { languages } from '@qd/core/i18n'
import { expect, test } from 'vitest'
import { createTestIo } from '../../../../../tests/support/tui/io.ts'
import { loadTranslator } from '../../base/language.ts'
import { widthOf } from '../../base/output/width.ts'
import { runProgram } from '../../start/program.ts'
import { type Command, type CommandGroup, helpText } from './command.ts'
import { globalFlags } from './flags/common-flags.ts'
import { commandTree } from './tree.ts'

const tree = commandTree(async () => undefined)
const groups = tree.filter((entry): entry is CommandGroup => 'commands' in entry)
const leaves: readonly (readonly [path: string, command: Command])[] = tree.flatMap((entry) =>
  'commands' in entry
    ? entry.commands.map((command) => [`${entry.name} ${command.name}`, command] as const)
    : [[entry.name, entry] as const],
)
const longOf = (flags: string) => /--[\w-]+/.exec(flags)?.[0] ?? ''

test('words: nouns, verbs and top-level commands as the decisions page has them', () => {
  expect(tree.map(({ name }) => name)).toEqual([
    'server',
    'service',
    'cron',
    'run',
    'notification',
    'alert-rule',
    'incident',
    'maintenance-window',
    'ddns',
    'nat',
    'server-group',
    'notification-group',
    'transfer',
    'api-token',
    'session',
    'setting',
    'user',
    'online-user',
    'waf',
    'sign-in-provider',
    'audit',
    'account',
    'exec',
    'doctor',
    'login',
    'logout',
    'whoami',
    'profile',
    'alias',
    'export',
    'diff',
    'apply',
    'import',
    'migrate',
    'files',
    'watch',
    'open',
    'api',
    'mcp',
    'completion',
    'help',
  ])
  expect(
    Object.fromEntries(groups.map(({ name, commands }) => [name, commands.map((command) => command.name)])),
  ).toEqual({
    server: [
      'ls',
      'get',
      'edit',
      'delete',
      'shell',
      'config',
      'groups',
      'force-update',
      'install',
      'reinstall',
      'revoke-secret',
      'move',
      'public-note',
      'history',
      'events',
    ],
    service: ['ls', 'get', 'create', 'edit', 'duplicate', 'delete', 'check', 'move-up', 'move-down', 'history'],
    cron: ['ls', 'get', 'create', 'edit', 'duplicate', 'delete', 'run'],
    notification: ['ls', 'get', 'create', 'edit', 'duplicate', 'delete', 'test'],
    'alert-rule': ['ls', 'get', 'create', 'edit', 'duplicate', 'delete', 'enable', 'disable', 'test', 'backtest'],
    incident: ['ls', 'get', 'ack', 'silence', 'unsilence', 'note'],
    'maintenance-window': ['ls', 'get', 'create', 'edit', 'duplicate', 'delete'],
    'notification-group': ['ls', 'get', 'create', 'edit', 'duplicate', 'delete'],
    'server-group': ['ls', 'get', 'create', 'edit', 'duplicate', 'delete'],
    run: ['ls', 'get', 'again', 'pause', 'resume', 'stop', 'watch', 'wait'],
    transfer: ['ls', 'get', 'cancel', 'retry'],
    'api-token': ['ls', 'get', 'create', 'duplicate', 'delete'],
    session: ['ls', 'get', 'revoke'],
    setting: ['get', 'set', 'keep', 'revert'],
    user: ['ls', 'get', 'create', 'edit', 'duplicate', 'delete', 'reset-totp', 'rotate-secret', 'end-rotation'],
    'online-user': ['ls', 'get', 'block'],
    waf: ['ls', 'get', 'block', 'unblock'],
    ddns: ['ls', 'get', 'create', 'edit', 'duplicate', 'delete', 'update'],
    nat: ['ls', 'get', 'create', 'edit', 'duplicate', 'delete', 'check', 'enable', 'disable'],
    'sign-in-provider': ['ls', 'get', 'create', 'edit', 'duplicate', 'delete', 'enable', 'disable'],
    audit: ['ls', 'get'],
    account: [
      'get',
      'secret',
      'rotate-secret',
      'end-rotation',
      'renew-secret',
      'totp',
      'totp-off',
      'recovery-codes',
      'unbind',
      'password-off',
      'password-on',
      'password',
      'bind',
    ],
    alias: ['ls', 'set', 'delete'],
    profile: ['ls', 'add', 'use', 'rename', 'delete'],
    files: ['ls', 'get', 'put', 'cat', 'rm', 'mkdir', 'mv', 'edit'],
    export: [
      'all',
      'server',
      'service',
      'cron',
      'notification',
      'alert-rule',
      'maintenance-window',
      'ddns',
      'nat',
      'server-group',
      'notification-group',
      'user',
      'sign-in-provider',
    ],
    watch: groups.flatMap(({ name, commands }) =>
      commands.some((one) => one.name === 'ls' && !['profile', 'alias', 'files'].includes(name)) ? [name] : [],
    ),
  })
})

test('C-04 no flag takes a secret', () => {
  const flags = [...globalFlags, ...leaves.flatMap(([, { flags = [] }]) => flags)].map(({ flags }) => flags)
  for (const flag of flags) {
    // What takes no value takes no secret.
    if (/password|secret|token/.test(longOf(flag)) && /[<[]/.test(flag)) expect(flag).toMatch(/-file <file>$/)
  }
})

test('flags of a command never hide those of every command, nor one another', () => {
  const global = globalFlags.map(({ flags }) => longOf(flags))
  for (const [path, { flags = [] }] of leaves) {
    const own = flags.map((flag) => longOf(flag.flags))
    expect(
      own.filter((flag) => global.includes(flag)),
      path,
    ).toEqual([])
    expect(new Set(own).size, path).toBe(own.length)
  }
})

test('C-26 every command has help in words, with examples first', async () => {
  const translator = await loadTranslator('en-US')
  for (const [path, command] of leaves) {
    const texts = [command.help, ...(command.flags ?? []).map(({ help }) => help)].map((help) =>
      helpText(translator, help),
    )
    for (const text of texts) expect(text, path).not.toMatch(/^(ui|resources|errors)\.|^$/)
    expect(command.examples.length, path).toBeGreaterThan(0)
    for (const example of command.examples) expect(example.startsWith(path), `${path}: ${example}`).toBe(true)
    const io = createTestIo({ args: [...path.split(' '), '--help'] })
    expect(await runProgram(io)).toBe(0)
    const { stdout } = io.written()
    expect(stdout, path).not.toMatch(/\b(ui|resources)\.\w+\./)
    expect(stdout.indexOf('Examples')).toBeLessThan(stdout.indexOf('Flags'))
    for (const line of stdout.split('\n')) expect(line.length, `${path}: ${line}`).toBeLessThanOrEqual(90)
  }
})

test.each(languages)('C-26 help in %s fits 80 cells and has no key in it', async (language) => {
  for (const words of [
    '',
    'cron create ',
    'profile ',
    'alert-rule create ',
    'service edit ',
    'server history ',
    'incident ls ',
  ]) {
    const io = createTestIo({ args: `${words}--help --lang ${language}`.split(' ') })
    expect(await runProgram(io)).toBe(0)
    const { stdout } = io.written()
    expect(stdout).not.toMatch(/\b(ui|resources|errors)\.\w+\./)
    for (const line of stdout.split('\n')) {
      if (!line.startsWith('Usage') && !/^ {2}--\S+ \S+$/.test(line))
        expect(widthOf(line), line).toBeLessThanOrEqual(82)
    }
  }
})
