import { expect, test } from 'vitest'
import { nameHere } from './name-here.ts'

test.each([
  ['console.example.net', 'console.example.net'],
  ['nas', 'nas'],
  ['1.example.net', '1.example.net'],
  ['127.0.0.1', null],
  ['[::1]', null],
  ['localhost', null],
  ['a.localhost', null],
])('37.1 the name of a page at %s is %s', (hostname, name) => expect(nameHere(hostname)).toBe(name))
