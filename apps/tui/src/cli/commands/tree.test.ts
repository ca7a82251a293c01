import { cliWords, isCommand } from '@qd/core/actions'
import { languages } from '@qd/core/i18n'
import { resources } from '@qd/core/resources'
import { expect, test } from 'vitest'
import { createTestIo } from '../../../../../tests/support/tui/io.ts'
import { readWords } from '../../../../../tests/support/words.ts'
import { loadTranslator } from '../../base/language.ts'
import { widthOf } from '../../base/output/width.ts'
import { runProgram } from '../../start/program.ts'
import { type Command, type CommandGroup, helpText } from './command.ts'
import { globalFlags } from './flags/flags.ts'
import { commandTree } from './tree.ts'

const tree = commandTree()
const groups = tree.filter((entry): entry is CommandGroup => 'commands' in entry)
const leaves: readonly (readonly [path: string, command: Command])[] = tree.flatMap((entry) =>
  'commands' in entry
    ? entry.commands.map((command) => [`${entry.name} ${command.name}`, command] as const)
    : [[entry.name, entry] as const],
)
const longOf = (flags: string) => /--[\w-]+/.exec(flags)?.[0] ?? ''

const verbsOf = (name: string) => groups.find((group) => group.name === name)?.commands.map((one) => one.name) ?? []

test('words: every entity is a noun, and its verbs are those of its wire and its actions', () => {
  expect(tree.slice(0, resources.length).map(({ name }) => name)).toEqual(resources.map(({ name }) => name))
  const verbs = { list: 'ls', get: 'get', create: 'create', edit: 'edit', delete: 'delete' } as const
  for (const { name, wire, actions } of resources) {
    const ofWire = wire.shape === 'many' ? wire.verbs.map((verb) => verbs[verb]) : []
    const own = Object.values(actions)
      .filter(isCommand)
      .flatMap((action) => {
        const [noun, verb] = cliWords(action).split(' ')
        return noun === name && verb !== undefined ? [verb] : []
      })
    expect(verbsOf(name), name).toEqual(expect.arrayContaining([...ofWire, ...own]))
    expect(new Set(verbsOf(name)).size, name).toBe(verbsOf(name).length)
  }
})

test('words: the rest is as the decisions page has it', () => {
  const { topLevel, otherVerbs } = readWords()
  const names = tree.slice(resources.length).map(({ name }) => name)
  expect(topLevel.filter((word) => !names.includes(word))).toEqual([])
  expect(otherVerbs.filter((words) => !leaves.some(([path]) => path === words))).toEqual([])
  expect(verbsOf('export')[0]).toBe('all')
  expect(verbsOf('watch')).toEqual(resources.map(({ name }) => name).filter((name) => verbsOf(name).includes('ls')))
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
