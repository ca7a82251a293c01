import { expect, test } from 'vitest'
import type { FileSession } from '../types.ts'
import { differenceOf, maxEditBytes, readText, saveText, textToEdit } from './edit-text.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** A server with one file. */
function setup(content: string) {
  const files = new Map([['/f', bytesOf(content)]])
  const session = {
    async download(path: string, sink: { begin?(size: number): unknown; write(bytes: Uint8Array): unknown }) {
      const bytes = files.get(path)!
      await sink.begin?.(bytes.length)
      await sink.write(bytes)
      return { size: bytes.length, grew: false }
    },
    async upload(path: string, source: { size: number; read(at: number, length: number): Promise<Uint8Array> }) {
      files.set(path, (await source.read(0, source.size)).slice())
      return { path, size: source.size, sha256: null }
    },
  } as unknown as FileSession
  return {
    session,
    text: () => new TextDecoder().decode(files.get('/f')),
    put: (text: string) => files.set('/f', bytesOf(text)),
  }
}

test('what is no text of at most 1 MiB is not edited', () => {
  expect(textToEdit(Uint8Array.of(0xff, 0xfe))).toBeNull()
  expect(textToEdit(bytesOf('a\0b'))).toBeNull()
  expect(textToEdit(bytesOf('a\r\nb\n'))).toBeNull()
  expect(textToEdit(new Uint8Array(maxEditBytes + 1).fill(97))).toBeNull()
})

test('a text is saved with the line ends it had', async () => {
  const { session, text } = setup('one\r\ntwo\r\n')
  const before = (await readText(session, '/f'))!
  expect(before.text).toBe('one\ntwo\n')
  expect(await saveText(session, { path: '/f', before, text: 'one\n2\n' })).toEqual({ kind: 'saved' })
  expect(text()).toBe('one\r\n2\r\n')
})

test('a file that was changed meanwhile is not overwritten', async () => {
  const { session, text, put } = setup('one\n')
  const before = (await readText(session, '/f'))!
  put('theirs\n')
  const saved = await saveText(session, { path: '/f', before, text: 'mine\n' })
  expect(saved).toMatchObject({ kind: 'changed', theirs: { text: 'theirs\n' } })
  expect(text()).toBe('theirs\n')
})

test('a difference is shown with the lines around it', () => {
  expect(differenceOf('1\n2\n3\n4\n5\n6', '1\n2\n3\nx\n5\n6')).toEqual([
    { kind: 'both', text: '2' },
    { kind: 'both', text: '3' },
    { kind: 'gone', text: '4' },
    { kind: 'come', text: 'x' },
    { kind: 'both', text: '5' },
    { kind: 'both', text: '6' },
  ])
  expect(differenceOf('same', 'same').filter(({ kind }) => kind !== 'both')).toEqual([])
})
