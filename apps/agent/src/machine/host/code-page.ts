import { execFile } from 'node:child_process'
import { ownEnvironment } from './programs.ts'

/** Locales’ and Windows’ names of character sets for TextDecoder. */
const otherNames: Readonly<Record<string, string>> = {
  '932': 'shift_jis',
  '936': 'gbk',
  '949': 'euc-kr',
  '950': 'big5',
  '866': 'ibm866',
  '874': 'windows-874',
  '20866': 'koi8-r',
  '54936': 'gb18030',
  big5hkscs: 'big5',
  cp866: 'ibm866',
  cp932: 'shift_jis',
  cp936: 'gbk',
  cp949: 'euc-kr',
  cp950: 'big5',
  eucjp: 'euc-jp',
  euckr: 'euc-kr',
  koi8r: 'koi8-r',
  koi8u: 'koi8-u',
  shiftjis: 'shift_jis',
  tis620: 'windows-874',
  uhc: 'euc-kr',
}

/** The C library’s defaults. */
const usual: Readonly<Record<string, string>> = {
  zh_CN: 'gbk',
  zh_SG: 'gbk',
  zh_TW: 'big5',
  zh_HK: 'big5',
  ja_JP: 'euc-jp',
  ko_KR: 'euc-kr',
  ru_RU: 'iso-8859-5',
  ...Object.fromEntries(
    'de_DE de_AT de_CH en_US en_GB es_ES fr_FR it_IT nl_NL pt_BR pt_PT sv_SE'
      .split(' ')
      .map((name) => [name, 'windows-1252']),
  ),
}

/** Undefined for UTF-8, ASCII and unknown sets. */
const known = (name: string): string | undefined => {
  const plain = name.toLowerCase().replace(/[^a-z\d]/g, '')
  const guesses = [
    otherNames[plain],
    name,
    plain.replace(/^iso8859(\d+)$/, 'iso-8859-$1'),
    plain.replace(/^(?:cp|windows)?(125\d)$/, 'windows-$1'),
  ]
  for (const guess of guesses) {
    try {
      const { encoding } = new TextDecoder(guess ?? '')
      return encoding === 'utf-8' || plain.startsWith('ansix3') || plain === 'usascii' ? undefined : encoding
    } catch {}
  }
  return undefined
}

/** Such as `gbk` of `zh_CN.GBK`; undefined for UTF-8, `C` and unknown ones. */
export const parseLocale = (locale: string): string | undefined => {
  const [, name = '', charset, modifier] = /^([A-Za-z]+(?:_[A-Z]+)?)(?:\.([^@]+))?(?:@(.+))?$/.exec(locale) ?? []
  if (charset) return known(charset)
  return modifier === 'euro' ? 'iso-8859-15' : usual[name]
}

/** Such as `Active code page: 936`, in any language. */
export const parseChcp = (output: string): string | undefined => {
  const page = /(\d{3,5})\.?\s*$/.exec(output)?.[1]
  return page === undefined || page === '65001' ? undefined : known(page)
}

const askWindows = (): Promise<string | undefined> =>
  new Promise((resolve) => {
    execFile('chcp.com', { encoding: 'latin1', timeout: 5_000 }, (error, output) => {
      resolve(error ? undefined : parseChcp(output))
    })
  })

export const readCodePage = async (): Promise<string | undefined> => {
  if (process.platform === 'win32') return askWindows()
  const { LC_ALL, LC_CTYPE, LANG } = ownEnvironment()
  return parseLocale(LC_ALL || LC_CTYPE || LANG || '')
}
