import { describe, expect, test } from 'vitest'
import { chordOf, chordText, isPlain, type KeyStroke, normalChord, type Platform } from './index.ts'

describe('chords', () => {
  test.each<[string, Platform, string]>([
    ['Mod+k', 'mac', 'Meta+k'],
    ['Mod+k', 'other', 'Ctrl+k'],
    ['Mod+K', 'other', 'Ctrl+k'],
    ['Ctrl+Shift+k', 'mac', 'Ctrl+Shift+k'],
    ['Shift+Ctrl+k', 'other', 'Ctrl+Shift+k'],
    ['Shift+x', 'other', 'X'],
    ['Shift+?', 'other', '?'],
    ['Shift+ArrowDown', 'other', 'Shift+ArrowDown'],
    ['g s', 'other', 'g s'],
    ['Mod++', 'other', 'Ctrl++'],
  ])('%s on %s is spelled %s', (chord, platform, spelled) => expect(normalChord(chord, platform)).toBe(spelled))

  test.each<[string, KeyStroke, string | null]>([
    ['a letter', { key: 'x', shiftKey: false }, 'x'],
    ['with Shift', { key: 'X', shiftKey: true }, 'X'],
    ['from a terminal, which tells no Shift', { key: 'X' }, 'X'],
    ['with Caps Lock', { key: 'X', shiftKey: false }, 'x'],
    ['a character that needs Shift', { key: '?', shiftKey: true }, '?'],
    ['Ctrl+Shift and a letter', { key: 'K', ctrlKey: true, shiftKey: true }, 'Ctrl+Shift+k'],
    ['the space bar', { key: ' ' }, 'Space'],
    ['a Cyrillic layout', { key: 'п', code: 'KeyG', shiftKey: false }, 'g'],
    ['a Cyrillic layout, with Shift', { key: 'К', code: 'KeyR', shiftKey: true }, 'R'],
    ['another Latin layout keeps its letter', { key: 'a', code: 'KeyQ' }, 'a'],
    ['Alt and a letter on a Mac, which makes a sign of it', { key: '†', code: 'KeyT', altKey: true }, 'Alt+t'],
    ['Alt and an arrow', { key: 'ArrowUp', code: 'ArrowUp', altKey: true }, 'Alt+ArrowUp'],
    ['P-27 while an input method composes', { key: 'Enter', isComposing: true }, null],
    ['a modifier alone', { key: 'Shift', shiftKey: true }, null],
  ])('%s', (_name, stroke, chord) => expect(chordOf(stroke)).toBe(chord))

  test.each<[string, Platform, string[]]>([
    ['Mod+k', 'mac', ['⌘K']],
    ['Mod+k', 'other', ['Ctrl+K']],
    ['Ctrl+k', 'terminal', ['⌃k']],
    ['Ctrl+Shift+k', 'mac', ['⌃⇧K']],
    ['Mod+Enter', 'mac', ['⌘↵']],
    ['g s', 'other', ['g', 's']],
    ['Delete', 'other', ['Del']],
    ['Escape', 'terminal', ['esc']],
    ['X', 'other', ['X']],
  ])('P-19 %s reads on %s', (chord, platform, text) => expect(chordText(chord, platform)).toEqual(text))

  test.each([
    ['x', true],
    ['g s', true],
    ['Escape', true],
    ['Mod+k', false],
    ['Ctrl+Shift+k', false],
  ])('%s is plain: %s', (chord, plain) => expect(isPlain(chord)).toBe(plain))
})
