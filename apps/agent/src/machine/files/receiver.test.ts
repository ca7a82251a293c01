import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { files } from '../host/files.ts'
import type { MachineFiles } from './machine-files.ts'
import { createReceiver, type Receiver } from './receiver.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'qd-receiver-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const options = { size: 3, resume: false, keeps: false }
const sleep = async () => undefined
/** The machine's files, where the system refuses what `isRefused` says. */
const refusing = (code: string, isRefused: (path: string, how: string) => boolean): MachineFiles => ({
  ...files,
  open: (path, how, mode) =>
    isRefused(path, how) ? Promise.reject(Object.assign(new Error(), { code })) : files.open(path, how, mode),
})
const isPart = (path: string) => path.endsWith('.qd-part')

test('where nothing can be made beside a file that is there, the file itself is written', async () => {
  const path = join(folder, 'file')
  writeFileSync(path, 'before')
  const receiver = await createReceiver({ fileSystem: refusing('EACCES', isPart), sleep }, path, options)
  await receiver.add(Buffer.from('new'))
  await receiver.finish()
  expect(readFileSync(path, 'utf8')).toBe('new')
  expect(readdirSync(folder)).toEqual(['file'])
})

test('a new file there is refused, and so is one that may not be written', async () => {
  const path = join(folder, 'file')
  const closed = createReceiver({ fileSystem: refusing('EACCES', isPart), sleep }, path, options)
  await expect(closed).rejects.toMatchObject({ code: 'EACCES' })
  writeFileSync(path, 'before')
  const locked = refusing('EACCES', (at, how) => at === path && how !== 'read')
  await expect(createReceiver({ fileSystem: locked, sleep }, path, options)).rejects.toMatchObject({ code: 'EACCES' })
  expect(readFileSync(path, 'utf8')).toBe('before')
})

test('a full disk leaves what was there, and no part', async () => {
  const path = join(folder, 'file')
  writeFileSync(path, 'before')
  const full: MachineFiles = {
    ...files,
    open: async (at, how, mode) => ({
      ...(await files.open(at, how, mode)),
      write: () => Promise.reject(Object.assign(new Error(), { code: 'ENOSPC' })),
    }),
  }
  const receiver = await createReceiver({ fileSystem: full, sleep }, path, options)
  await expect(receiver.add(Buffer.from('new'))).rejects.toMatchObject({ code: 'ENOSPC' })
  await receiver.stop()
  expect(readFileSync(path, 'utf8')).toBe('before')
  expect(readdirSync(folder)).toEqual(['file'])
})

test('two uploads of one file at the same time: the second is refused, after the first it is taken', async () => {
  const path = join(folder, 'file')
  const machine = { fileSystem: files, sleep }
  const first = await createReceiver(machine, path, options)
  await expect(createReceiver(machine, path, options)).rejects.toThrow('another upload')
  await first.stop()
  await (await createReceiver(machine, path, options)).stop()
  expect(readdirSync(folder)).toEqual([])
})

test('the next upload of a file begins when the one before has put it in its place, or taken its part away', async () => {
  const path = join(folder, 'file')
  const done: string[] = []
  const linger = async () => {
    for (let turn = 0; turn < 30; turn++) await files.status(folder)
  }
  let isEnding = false
  const slow: MachineFiles = {
    ...files,
    async rename(from, to) {
      await linger()
      await files.rename(from, to)
      done.push('renamed')
    },
    async remove(at, isFolder) {
      if (!isEnding) return files.remove(at, isFolder)
      isEnding = false
      await linger()
      await files.remove(at, isFolder)
      done.push('removed')
    },
    async open(at, how, mode) {
      if (how === 'new') done.push('made')
      return files.open(at, how, mode)
    },
  }
  const next = async () => {
    let waits = () => {}
    const waiting = new Promise<void>((resolve) => {
      waits = resolve
    })
    const sleep = () => {
      waits()
      return new Promise<undefined>(() => {})
    }
    const receiver: Promise<Receiver> = createReceiver({ fileSystem: slow, sleep }, path, options)
    await waiting
    return () => receiver
  }
  const first = await createReceiver({ fileSystem: slow, sleep }, path, options)
  await first.add(Buffer.from('one'))
  const second = await next()
  await first.finish()
  const receiver = await second()
  const third = await next()
  isEnding = true
  await receiver.stop()
  await (await third()).stop()
  expect(done).toEqual(['made', 'renamed', 'made', 'removed', 'made'])
  expect(readFileSync(path, 'utf8')).toBe('one')
})
