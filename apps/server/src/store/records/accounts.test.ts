import { expect, test } from 'vitest'
import { nameSkeleton } from './accounts.ts'

test.each([
  ['Admin', 'admin'],
  ['b\u200Bob', 'bob'],
  ['b\u043Eb', 'bob'],
  ['\u0430\u0435\u0441', 'aec'],
  ['\uFF42\uFF4F\uFF42', 'bob'],
  ['adm\u0131n', 'admin'],
  ['bob ', 'bob'],
  ['a1ice', 'alice'],
  ['r00t', 'root'],
  ['\u00e1dmin', 'admin'],
  ['ADMlN', 'admin'],
  ['adrnin', 'admin'],
])('issue 37.8 %j looks like %j', (one, other) => expect(nameSkeleton(one)).toBe(nameSkeleton(other)))

test.each([
  ['alice', 'alicia'],
  ['bob', 'rob'],
  ['\u738b\u4f1f', '\u738b\u82b3'],
])('%j does not look like %j', (one, other) => expect(nameSkeleton(one)).not.toBe(nameSkeleton(other)))
