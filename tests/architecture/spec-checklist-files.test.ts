import { readFileSync } from 'node:fs'
import { breadcrumb, orderFolder } from '@qd/core/files'
import { createTranslator, loadLanguage } from '@qd/core/i18n'
import {
  createListing,
  fileMarks,
  filePieceBytes,
  markOf,
  toDownloadRequest,
  toFileError,
  toListRequest,
  toUploadRequest,
} from '@qd/protocol/files'
import { describe, expect, test } from 'vitest'
import { says } from './says.ts'

const english = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const bytes = (...parts: (number | string)[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'number' ? [part] : [...Buffer.from(part)])))

describe('2. file manager', () => {
  says(2, 'Breadcrumb path (root plus the last 3 segments; earlier segments in a dropdown).', () => {
    const { root, earlier, last } = breadcrumb('/a/b/c/d/e')
    expect([root.name, earlier.map(({ name }) => name), last.map(({ name }) => name)]).toEqual([
      '/',
      ['a', 'b'],
      ['c', 'd', 'e'],
    ])
  })
  says(2, 'A menu with Refresh, Copy path and Go to (path input with Close/Confirm).', () => {
    const words = [
      'ui.keys.refreshFolder',
      'ui.keys.copyPath',
      'ui.keys.goToPath',
      'ui.frame.close',
      'ui.files.confirm',
    ]
    expect(words.map((key) => english.say(key as never))).toEqual(['Refresh', 'Copy path', 'Go to', 'Close', 'Confirm'])
  })
  says(2, 'Default sort: by type, descending.', () => {
    const entries = [
      { name: 'a', kind: 'file' },
      { name: 'z', kind: 'folder' },
    ] as const
    expect(orderFolder(entries).map(({ name }) => name)).toEqual(['z', 'a'])
  })
})

describe('7. file manager websocket', () => {
  says(7, 'First byte is the operation: 0 list, 1 download, 2 upload, followed by the path.', () => {
    expect(toListRequest('/x')).toEqual(bytes(0, '/x'))
    expect(toDownloadRequest('/x')).toEqual(bytes(1, '/x'))
  })
  says(7, 'Upload header: operation, 8-byte file size, path.', () =>
    expect(toUploadRequest('/x', 258)).toEqual(bytes(2, 0, 0, 0, 0, 0, 0, 1, 2, '/x')),
  )
  says(7, 'The file is sent in 1 MiB chunks.', () => expect(filePieceBytes).toBe(1024 * 1024))
  says(7, 'Server replies are prefixed with 4-byte markers: file, file name/list, error, complete.', () => {
    const { download, listing, error, uploaded } = fileMarks
    for (const mark of [download, listing, error, uploaded]) expect(mark).toHaveLength(4)
    expect(markOf(toFileError('no'))).toBe('error')
  })
  says(7, 'A list reply holds a path and entries (type byte, name length byte, name).', () => {
    const reply = bytes(fileMarks.listing, 0, 0, 0, 2, '/x', 1, 3, 'sub', 0, 1, 'f')
    expect(createListing().push(reply)).toEqual({
      kind: 'done',
      listing: {
        path: '/x',
        names: [
          { name: 'sub', isFolder: true },
          { name: 'f', isFolder: false },
        ],
        isCut: false,
      },
    })
  })
})

describe('8. what is told of files', () => {
  const titles = ['ui.terminal.websocketError', 'ui.files.fmError', 'ui.files.unknown'] as const
  says(8, "toast 'Websocket Error' or 'FM Error'; unknown file-manager marker 'Unknown identifier'", () =>
    expect(titles.map((key) => english.t(key))).toEqual(['Websocket Error', 'FM Error', 'Unknown identifier']),
  )
  test('the file manager of the web console says each of them', () => {
    const source = readFileSync(new URL('../../apps/web/src/files/file-manager.ts', import.meta.url), 'utf8')
    for (const key of titles) expect(source).toContain(key)
  })
})
