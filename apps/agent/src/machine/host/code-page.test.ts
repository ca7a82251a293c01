import { expect, test } from 'vitest'
import { parseChcp, parseLocale } from './code-page.ts'

test.each([
  ['zh_CN.GBK', 'gbk'],
  ['zh_CN.gb18030', 'gb18030'],
  ['zh_CN.GB2312', 'gbk'],
  ['zh_CN', 'gbk'],
  ['zh_TW.Big5', 'big5'],
  ['zh_HK.Big5-HKSCS', 'big5'],
  ['ja_JP.eucJP', 'euc-jp'],
  ['ja_JP.SJIS', 'shift_jis'],
  ['ja_JP.Shift_JIS', 'shift_jis'],
  ['ko_KR.CP949', 'euc-kr'],
  ['ru_RU.KOI8-R', 'koi8-r'],
  ['ru_RU.CP1251', 'windows-1251'],
  ['ru_RU.cp866', 'ibm866'],
  ['de_DE.ISO-8859-1', 'windows-1252'],
  ['de_DE.iso88591', 'windows-1252'],
  ['de_DE@euro', 'iso-8859-15'],
  ['pl_PL.ISO8859-2', 'iso-8859-2'],
  ['th_TH.TIS-620', 'windows-874'],
  ['en_US', 'windows-1252'],
  ['en_US.UTF-8', undefined],
  ['C.utf8', undefined],
  ['C', undefined],
  ['POSIX', undefined],
  ['en_US.ANSI_X3.4-1968', undefined],
  ['en_US.US-ASCII', undefined],
  ['xx_XX.nonsense', undefined],
  ['', undefined],
])('issue 36.7: the locale %j writes in %j', (locale, charset) => {
  expect(parseLocale(locale)).toBe(charset)
})

test.each([
  ['Active code page: 936\r\n', 'gbk'],
  ['活动代码页: 936', 'gbk'],
  ['現在のコード ページ: 932\r\n', 'shift_jis'],
  ['Aktive Codepage: 1252.\r\n', 'windows-1252'],
  ['Active code page: 866', 'ibm866'],
  ['Active code page: 65001', undefined],
  ['Active code page: 437', undefined],
  ['', undefined],
])('issue 36.7: chcp says %j: %j', (said, charset) => {
  expect(parseChcp(said)).toBe(charset)
})
