import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { AppError, usageError } from '@qd/core/errors'
import {
  differenceOf,
  joinPath,
  lastName,
  listAround,
  orderFolder,
  parsePlace,
  readWhole,
  safeFileName,
  shownName,
} from '@qd/core/files'
import { pickFields } from '@qd/core/view'
import { runEditor } from '../../../base/editor.ts'
import { plainTable } from '../../../base/output/table.ts'
import type { Cli, Command, CommandGroup, Flag } from '../command.ts'
import { dryRunFlag, resultFields, resultFlags, withResult } from '../flags/flags.ts'
import { printDryRun } from '../printing/show.ts'
import { inTemporaryFolder } from './local.ts'
import { conflicts, get, moveOptions, openPlace, type Place, put, withAgentState } from './move.ts'
import { isToMany, manyFlags, putMany } from './put-many.ts'

const take = async ({ files, path }: Place) => Buffer.from(await readWhole(files, path))

/** Saves only if the file is unchanged; else keeps both texts and prints the differences: `-` is remote. Errors: `fileChanged`. */
async function editPlace(cli: Cli, place: Place): Promise<void> {
  const { files, path } = place
  const { translator, io } = cli
  const before = await take(place)
  if (before.includes(0))
    throw new AppError('failed', { text: translator.t('ui.cli.files.binary', { path: shownName(path) }) })
  const name = safeFileName(lastName(path))
  return inTemporaryFolder(async (folder) => {
    const local = join(folder, name)
    await writeFile(local, before, { mode: 0o600 })
    if (!(await runEditor(io, local))) throw new AppError('cancelled')
    const after = await readFile(local)
    if (after.equals(before)) return cli.note(translator.t('ui.cli.files.unchanged'))
    const now = await take(place).catch((error: unknown) => keep(cli, name, after, error))
    if (!now.equals(before)) {
      const mine = await keepAs(cli, `${name}.mine`, after)
      const theirs = await keepAs(cli, `${name}.theirs`, now)
      cli.note(translator.t('ui.cli.files.bothKept', { mine, theirs }))
      for (const { kind, text } of differenceOf(String(now), String(after)))
        if (kind !== 'both') cli.note(`${kind === 'gone' ? '-' : '+'}${shownName(text)}`)
      throw new AppError('fileChanged', { path: shownName(path) })
    }
    const source = { size: after.length, read: async (at: number, length: number) => after.subarray(at, at + length) }
    await files.upload(path, source).catch((error: unknown) => keep(cli, name, after, error))
    cli.note(translator.t('ui.cli.files.saved', { path: `${place.name}:${shownName(path)}` }))
  })
}

async function keep(cli: Cli, name: string, bytes: Uint8Array, error: unknown): Promise<never> {
  const path = await keepAs(cli, `${name}.mine`, bytes)
  cli.note(cli.t('ui.cli.files.kept', { path }))
  throw error
}

async function keepAs({ io }: Cli, name: string, bytes: Uint8Array): Promise<string> {
  const path = resolve(io.cwd, name)
  await writeFile(path, bytes, { mode: 0o600 })
  return path
}

const noDetails = { size: null, modified: null, mode: null, target: null }
const movedFields = ['server', 'path', 'local', 'size', 'sha256'] as const
const partFields = ['server', 'state', 'path', 'size', 'sha256', 'error'] as const

const moveFlags: readonly Flag[] = [
  { flags: '-r, --recursive', help: 'ui.cli.flags.filesRecursive' },
  { flags: '--resume', help: 'ui.cli.flags.filesResume' },
  { flags: '--conflict <what>', help: 'ui.cli.flags.filesConflict', values: { kind: 'words', words: () => conflicts } },
]

async function at<Result>(
  cli: Cli,
  word: string | undefined,
  command: string,
  work: (place: Place) => Promise<Result>,
): Promise<Result> {
  const place = await openPlace(cli, word, command)
  try {
    return await work(place)
  } catch (thrown) {
    throw await withAgentState(cli, place, thrown)
  } finally {
    place.files.close()
  }
}

function onlySay(
  cli: Cli,
  { id, name, path }: Place,
  body: Readonly<Record<string, unknown>> | null,
  note: string,
): undefined {
  const stream = { method: 'POST', path: 'file', query: { id } } as const
  const call = body
    ? ({ method: 'POST', path: 'file/delete', body: { server_id: id, path, ...body } } as const)
    : stream
  printDryRun(cli, { api: { calls: [call] }, notes: [`${note} ${name}:${path}`], json: false })
}

const marks = { folder: '/', link: '', file: '', other: '' }

const ls = withResult(['path', 'name', 'kind', 'size', 'modified', 'mode', 'target'], {
  name: 'ls',
  help: 'ui.cli.commands.filesLs',
  args: '<place>',
  examples: ['files ls web-1:/var/log', 'files ls web-1:~ --json name,size'],
  async run(cli, [word], flags) {
    return at(cli, word, 'ls', async ({ files, path }) => {
      const abilities = await files.abilities()
      const asked = await files.list(path)
      const named = asked.isElsewhere ? ((await listAround(files.list, path)) ?? asked) : asked
      const isFile = named !== asked
      if (named.isElsewhere)
        throw new AppError('notFound', {
          name: shownName(path),
          text: cli.t('ui.cli.files.elsewhere', { path: shownName(named.path) }),
        })
      const detailed = abilities.has('details') ? await files.details(named.path) : named
      // Details stop at 5,000 names.
      const known = new Map(detailed.entries.map((entry) => [entry.name, entry]))
      const wanted = isFile ? named.entries.filter((entry) => entry.name === lastName(path)) : named.entries
      const entries = orderFolder(wanted.map((entry) => known.get(entry.name) ?? entry))
      if (named.isCut && !isFile && flags.json === undefined) cli.warn(cli.t('ui.cli.files.cut'))
      return entries.map((entry) => ({ ...noDetails, ...entry, path: joinPath(named.path, entry.name) }))
    })
  },
  print(cli, entries) {
    const rows = entries.map(({ name, kind, size, modified, mode, target }) => [
      mode ?? '',
      size === null || kind === 'folder' ? '' : cli.format.bytes(size),
      modified === null ? '' : cli.format.instant(modified, cli.io.now()),
      `${shownName(name)}${marks[kind]}${target ? ` -> ${shownName(target)}` : ''}`,
    ])
    const lines = cli.io.stdout.isTTY
      ? plainTable(['MODE', 'SIZE', 'MODIFIED', 'NAME'], rows, cli.out)
      : entries.map(({ name, kind }) => `${shownName(name)}${marks[kind]}`)
    for (const line of lines) cli.print(line)
  },
})

const getCommand = withResult(movedFields, {
  name: 'get',
  help: 'ui.cli.commands.filesGet',
  args: '<place> [local]',
  flags: moveFlags,
  examples: [
    'files get web-1:/var/log/syslog',
    'files get -r web-1:/etc/nginx backup',
    'files get web-1:/etc/hosts - | wc -l',
  ],
  async run(cli, [word, local], flags) {
    const options = moveOptions(flags)
    return at(cli, word, 'get', async (place) => {
      if (local !== '-') return get(cli, place, local, options)
      await place.files.download(place.path, { write: cli.io.stdout.writeBytes })
      return undefined
    })
  },
  print(cli, moved) {
    for (const { sha256, local } of moved) cli.print(`${sha256}  ${shownName(local)}`)
  },
})

const putCommand: Command = {
  name: 'put',
  help: 'ui.cli.commands.filesPut',
  args: '<local> <place>',
  flags: [
    ...manyFlags,
    { flags: '-y, --yes', help: 'ui.cli.flags.yes' },
    dryRunFlag,
    ...moveFlags,
    ...resultFlags(() => movedFields),
  ],
  examples: [
    'files put app.conf web-1:/etc/app.conf',
    'files put - web-1:/etc/app.conf < app.conf',
    'files put -r site web-1:/var/www',
    "files put app.conf :/etc/app.conf --select 'group:web' --canary 1 --batch 5",
  ],
  async run(cli, [local = '', word], flags) {
    const options = moveOptions(flags)
    if (isToMany(flags)) {
      const fields = resultFields(flags, partFields)
      const { parts, code } = await putMany(cli, { from: local, place: word ?? '', flags, options })
      if (fields) cli.json(parts.map((part) => pickFields({ ...part }, fields)))
      else
        for (const { server, state, path, sha256, error } of parts)
          cli.print(`${sha256 ?? state}  ${server}:${shownName(path)}${error ? `  ${error}` : ''}`)
      return code
    }
    const fields = resultFields(flags, movedFields)
    return at(cli, word, 'put', async (place) => {
      if (flags.dryRun === true) return onlySay(cli, place, null, `put ${local}`)
      const moved = await put(cli, local, place, options)
      if (fields) cli.json(moved.map((one) => pickFields({ ...one }, fields)))
      else for (const { sha256, server, path } of moved) cli.print(`${sha256}  ${shownName(`${server}:${path}`)}`)
    })
  },
}

const cat: Command = {
  name: 'cat',
  help: 'ui.cli.commands.filesCat',
  args: '<place>',
  examples: ['files cat web-1:/etc/os-release'],
  async run(cli, [word]) {
    return at(cli, word, 'cat', async ({ files, path }) => {
      await files.download(path, { write: cli.io.stdout.writeBytes })
    })
  },
}

const rm = withResult(['server', 'path', 'count'], {
  name: 'rm',
  help: 'ui.cli.commands.filesRm',
  args: '<place>',
  flags: [
    { flags: '-r, --recursive', help: 'ui.cli.flags.filesRecursive' },
    { flags: '--yes', help: 'ui.cli.flags.yes' },
    dryRunFlag,
  ],
  examples: ['files rm web-1:/tmp/old.log', 'files rm -r --yes web-1:/tmp/build'],
  async run(cli, [word], flags) {
    return at(cli, word, 'rm', async (place) => {
      const { files, name, path } = place
      if (flags.dryRun === true) return onlySay(cli, place, { recursive: flags.recursive === true }, 'rm')
      const question = cli.t('ui.cli.files.delete', { path: `${name}:${shownName(path)}` })
      if (flags.yes !== true && !(cli.canAsk ? await cli.ask(question) : flags.recursive !== true))
        throw cli.canAsk ? new AppError('cancelled') : usageError('cannotAsk', { try: `qd files rm -r --yes ${word}` })
      return { server: name, path, count: await files.remove(path, { recursive: flags.recursive === true }) }
    })
  },
})

const mkdir: Command = {
  name: 'mkdir',
  help: 'ui.cli.commands.filesMkdir',
  args: '<place>',
  flags: [dryRunFlag],
  examples: ['files mkdir web-1:/srv/site'],
  async run(cli, [word], flags) {
    return at(cli, word, 'mkdir', async (place) => {
      if (flags.dryRun === true) return onlySay(cli, place, null, 'mkdir')
      await place.files.makeFolder(place.path)
    })
  },
}

const mv: Command = {
  name: 'mv',
  help: 'ui.cli.commands.filesMv',
  args: '<place> <new-path>',
  flags: [dryRunFlag],
  examples: ['files mv web-1:/srv/site /srv/site.old'],
  async run(cli, [word, to = ''], flags) {
    return at(cli, word, 'mv', async (place) => {
      const there = parsePlace(to)
      if (there && ![place.name, String(place.id)].includes(there.server))
        throw usageError('otherServer', { text: to, try: `qd files mv ${word} ${there.path}` })
      const path = there?.path ?? to
      if (flags.dryRun === true) return onlySay(cli, place, null, `mv ${path}`)
      await place.files.rename(place.path, path)
    })
  },
}

const edit: Command = {
  name: 'edit',
  help: 'ui.cli.commands.filesEdit',
  args: '<place>',
  examples: ['files edit web-1:/etc/app.conf'],
  run: (cli, [word]) => at(cli, word, 'edit', (place) => editPlace(cli, place)),
}

/** `qd files`: scp and sftp through the agent (docs/use/files.md). */
export const filesGroup: CommandGroup = {
  name: 'files',
  help: 'ui.cli.commands.files',
  commands: [ls, getCommand, putCommand, cat, rm, mkdir, mv, edit],
}
