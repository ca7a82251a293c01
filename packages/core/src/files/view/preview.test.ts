import { describe, expect, test } from 'vitest'
import { pictureType, previewOf } from './preview.ts'

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

describe('a preview at a file', () => {
  test('a text, and the end of one without its first, cut line', () => {
    expect(previewOf(bytes('one\ntwo\n'), true)).toEqual({ kind: 'text', text: 'one\ntwo\n', isWhole: true })
    expect(previewOf(bytes('ne\ntwo\n'), false)).toEqual({ kind: 'text', text: 'two\n', isWhole: false })
    expect(previewOf(bytes('one long line'), false)).toEqual({ kind: 'text', text: 'one long line', isWhole: false })
  })

  test('a picture by its bytes, never by its name; HTML and SVG are text', () => {
    expect(pictureType(bytes('\u0089PNG\r\n\u001a\n....'))).toBe('image/png')
    expect(pictureType(bytes('RIFF....WEBPVP8 '))).toBe('image/webp')
    expect(previewOf(bytes('<svg onload=alert(1)>'), true).kind).toBe('text')
    expect(previewOf(bytes('<html><script>'), true).kind).toBe('text')
  })

  test('bytes and nothing', () => {
    expect(previewOf(bytes('\u007fELF\u0000\u0001'), true)).toEqual({ kind: 'binary' })
    expect(previewOf(bytes(''), true)).toEqual({ kind: 'empty' })
  })
})
